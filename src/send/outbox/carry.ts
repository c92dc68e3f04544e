import { type Backoff, backoff } from "../../api/calls/timing.js";
import { ConfigurationError } from "../../errors.js";
import type { Parcel, Sent } from "../parcel.js";
import {
  ExpiredError,
  InvalidMessageError,
  RateLimitedError,
  RejectedError,
  SendAbortedError,
  SendError,
  StoreError,
  UnknownOutcomeError,
} from "../errors.js";
import { factsOf } from "../events.js";
import type { OutboxContext } from "./context.js";
import {
  type MessageLease,
  OUTBOX_STATES,
  type OutboxChange,
  type OutboxState,
  type OutboxStore,
  type TakenMessage,
} from "../store/outbox.js";
import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.js";

const BACKOFF: Backoff = { firstMs: 1_000, longestMs: 30_000 };

/** A message that this process has leased. */
export interface HeldMessage {
  readonly message: TakenMessage;
  readonly lease: MessageLease;
  readonly leases: Leases;
  /** Ends waiting, but not a request. */
  readonly closing: AbortSignal;
}

/** Why the next message should wait: a problem that is not specific to the current one. */
export interface QueuePause {
  /** Set if known. */
  readonly waitMs?: number;
}

/**
 * Sends a message that was just taken, and records the outcome.
 *
 * @param turnCame Called when its turn has come.
 */
export async function carry(
  hold: HeldMessage,
  context: OutboxContext,
  turnCame: () => void,
): Promise<QueuePause | undefined> {
  const { message, lease, leases, closing } = hold;
  let decided = false;
  try {
    await context.courier.deliver(parcelOf(message, context), {
      // Queued messages wait as long as necessary; `expiresAt` bounds it.
      maxWait: Number.POSITIVE_INFINITY,
      closing,
      // Whoever takes over a message whose process has died looks it up first.
      isNew: message.attempts === 1,
      mayLeave: async () => {
        turnCame();
        if (!(await leases.renew(lease))) return false;
        const problems = (await context.check?.(message.email)) ?? [];
        if (problems.length > 0) throw new InvalidMessageError(problems);
        return true;
      },
      decided: async (outcome) => {
        if (isAccountRefusal(outcome)) return;
        await recordOutcome(hold, context, outcome);
        decided = true;
      },
    });
    return undefined;
  } catch (error) {
    return decided ? undefined : await putBack(hold, context, error);
  } finally {
    leases.drop(lease);
  }
}

/** The parcel of a message that was just taken. */
export function parcelOf(
  { id, email, template, priority, expiresInMs, onUnknown }: TakenMessage,
  { clock }: Pick<OutboxContext, "clock">,
): Parcel {
  const expiresAt = expiresInMs === undefined ? undefined : clock.time() + expiresInMs;
  return { id, email, template, priority, expiresAt, onUnknown };
}

export async function recordOutcome(
  hold: HeldMessage,
  context: OutboxContext,
  outcome: Sent | SendError,
): Promise<void> {
  if (outcome instanceof Error) {
    const state = outcome instanceof UnknownOutcomeError ? "parked" : "rejected";
    const { message, hint } = outcome;
    await write(hold, context, {
      state,
      reason: hint === undefined || state === "parked" ? message : `${message} ${hint}`,
    });
    return;
  }
  const accepted: OutboxChange = { state: "accepted", sent: outcome };
  if (await write(hold, context, accepted)) return;
  // This process missed its heartbeats, and another took the message over. The service has accepted it in any case.
  const states = OUTBOX_STATES.filter((state) => state !== "accepted");
  await context.store.change(hold.message.id, { states }, completed(accepted, context));
}

function isAccountRefusal(error: unknown): error is RejectedError {
  return error instanceof RejectedError && error.refusesAccount;
}

/** After an attempt without an outcome: nothing was sent, or its lookup was ended. */
async function putBack(hold: HeldMessage, context: OutboxContext, error: unknown): Promise<QueuePause | undefined> {
  // The failed write may have been "sent". Whoever takes the message over finds out.
  if (error instanceof StoreError) throw error;
  if (error instanceof UnknownOutcomeError) {
    await hold.leases.abandon(hold.lease);
  } else if (error instanceof ExpiredError) {
    if (await write(hold, context, { state: "expired" }))
      context.publish({ type: "expired", ...factsOf(hold.message) });
  } else if (error instanceof InvalidMessageError) {
    const reason = error.problems.map(({ path, message }) => `${path} ${message}`).join("; ");
    if (await write(hold, context, { state: "rejected", reason }))
      context.publish({ type: "rejected", ...factsOf(hold.message) });
  } else if (error instanceof SendAbortedError) {
    await write(hold, context, { state: "queued", uncounted: true });
  } else if (error instanceof RateLimitedError && error.limit !== "message") {
    await write(hold, context, { state: "queued", uncounted: true, reason: error.message });
    return { waitMs: error.expectedWaitMs };
  } else if (error instanceof SendError) {
    const dueInMs = backoff(hold.message.attempts, BACKOFF);
    await write(hold, context, { state: "queued", reason: error.message, dueInMs });
    return isAccountRefusal(error) ? {} : undefined;
  } else if (error instanceof ConfigurationError) {
    // The message is fine: it waits until the mailer's configuration changes.
    await write(hold, context, { state: "queued", uncounted: true, reason: error.message });
    context.failed(error);
    return {};
  } else {
    throw error;
  }
  return undefined;
}

/**
 * Releases a leased message of which nothing was sent. If it belongs to a call of `send`, it is deleted, so that no
 * worker sends it without the caller knowing, and its key is free again.
 */
export async function releaseMessage(
  hold: HeldMessage,
  context: OutboxContext,
  otherwise: OutboxChange,
): Promise<void> {
  const { message, lease } = hold;
  const isForgotten = await context.store.remove(message.id, { states: ["sending"], lease: lease.id, direct: true });
  if (!isForgotten) await write(hold, context, otherwise);
}

/** Releases the message. False if another process has taken it over. */
export function write({ message, lease }: HeldMessage, context: OutboxContext, change: OutboxChange): Promise<boolean> {
  return context.store.change(message.id, { states: ["sending"], lease: lease.id }, completed(change, context));
}

/** If contents are not kept at all, they are dropped with the change. */
export function completed(change: OutboxChange, { retention }: Pick<OutboxContext, "retention">): OutboxChange {
  return dropsContents(change.state, retention) ? { ...change, dropContents: true } : change;
}

function dropsContents(state: OutboxState, { contents, undecided }: OutboxContext["retention"]): boolean {
  if (state === "accepted" || state === "expired" || state === "discarded") return contents === 0;
  return (state === "parked" || state === "rejected") && undecided === 0;
}

/** Heartbeats during a lease: one or two of them may fail. */
const HEARTBEATS = 4;

/** The leases of a process on its messages, renewed while it is alive. */
export class Leases {
  readonly #held = new Set<string>();
  #cancel: (() => void) | undefined;

  /** @param ms How long a process without a heartbeat counts as alive. */
  constructor(
    private readonly store: OutboxStore,
    private readonly clock: Clock,
    private readonly ms: number,
  ) {}

  next(): MessageLease {
    return { id: randomUUID(), forMs: this.ms };
  }

  hold({ id }: MessageLease): void {
    this.#held.add(id);
    this.#beatLater();
  }

  /** Renews the lease. False if it was lost because this process missed its heartbeats. */
  async renew({ id }: MessageLease): Promise<boolean> {
    const held = await this.store.keepAlive([id], this.ms);
    return held.length > 0;
  }

  drop({ id }: MessageLease): void {
    this.#held.delete(id);
    if (this.#held.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Ends the lease of an unchanged message, so that another process finds out what happened to it. */
  async abandon(lease: MessageLease): Promise<void> {
    this.drop(lease);
    await this.store.keepAlive([lease.id], 0);
  }

  async #beat(): Promise<void> {
    this.#cancel = undefined;
    // The store may recover; if not, another process looks the messages up.
    await this.store.keepAlive([...this.#held], this.ms).catch(() => {});
    if (this.#held.size > 0) this.#beatLater();
  }

  #beatLater(): void {
    this.#cancel ??= this.clock.after(this.ms / HEARTBEATS, () => void this.#beat());
  }
}
