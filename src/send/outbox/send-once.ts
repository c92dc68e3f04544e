import { backoff } from "../../api/calls/timing.js";
import { sleep } from "../clock.js";
import type { CourierOptions } from "../delivery/courier.js";
import type { Parcel, Sent } from "../parcel.js";
import { Waits } from "../delivery/dispatch.js";
import { LOOK_PAUSE } from "../delivery/reconcile.js";
import { InDoubtError, InvalidMessageError, type SendError, UnknownOutcomeError } from "../errors.js";
import { factsOf, messageOf } from "../events.js";
import { releaseMessage, type HeldMessage, type Leases, parcelOf, recordOutcome } from "./carry.js";
import { type OutboxContext, usedForAnother } from "./context.js";
import type {
  AddedMessage,
  MessageLease,
  OutboxChange,
  NewMessage,
  OutboxMessage,
  OutboxState,
  TakenMessage,
} from "../store/outbox.js";

export type SendOnceOptions = Pick<CourierOptions, "maxWait" | "timeoutMs" | "signal" | "closing">;

/** A message with a key, as this call would send it. */
export interface DirectMessage {
  readonly message: NewMessage;
  /** By `clock.time()`. */
  readonly expiresAt: number | undefined;
  /** The filled subject, if known. */
  readonly subject?: string | undefined;
}

/** States from which the next call with the key continues. */
const RESUMED: readonly OutboxState[] = ["parked", "rejected", "expired"];

/**
 * Sends the message of a key at most once, however many calls with that key there are, in any process. The first call
 * stores the message as its own and sends it; if nothing was sent when the call ends, the key is free again. The other
 * calls return the outcome, or find it out.
 */
export class SendOnce {
  readonly #waits: Waits;

  constructor(
    private readonly direct: DirectMessage,
    private readonly options: SendOnceOptions,
    private readonly context: OutboxContext,
    private readonly leases: Leases,
  ) {
    this.#waits = new Waits({}, options, context.clock);
  }

  /** @throws {SendError} It was not accepted, or nobody knows. */
  async run(): Promise<Sent> {
    try {
      this.#waits.check();
      for (let looks = 1; ; looks += 1) {
        const result = await this.#try();
        if ("outcome" in result) return result;
        await this.#wait(result, backoff(looks, LOOK_PAUSE));
      }
    } catch (error) {
      throw this.#waits.errorOf(error);
    } finally {
      this.#waits.end();
    }
  }

  /** Returns the outcome, or the message if another call or a worker has it. */
  async #try(): Promise<Sent | AddedMessage> {
    const { store, target } = this.context;
    const lease = this.leases.next();
    const found = await store.add({ ...this.direct.message, lease });
    const { message, added, sameContents } = found;
    if (added)
      return this.#holding({ ...message, email: this.direct.message.email }, lease, (hold) => this.#begin(hold));
    if (!sameContents) throw usedForAnother();
    if (message.state === "accepted" && message.sent) return { ...message.sent, duplicate: true };
    if (message.state === "discarded")
      throw new InvalidMessageError([{ path: "key", message: "was used for a message that was discarded" }]);
    if (!message.hasContents) return this.#withoutContents(message);
    const taken = await store.takeOver(message.id, { target, lease, states: RESUMED });
    return taken === undefined ? found : this.#holding(taken, lease, (hold) => this.#resume(hold));
  }

  async #holding(message: TakenMessage, lease: MessageLease, run: (hold: HeldMessage) => Promise<Sent>): Promise<Sent> {
    const { leases, options } = this;
    leases.hold(lease);
    try {
      return await run({ message, lease, leases, closing: options.closing });
    } finally {
      leases.drop(lease);
    }
  }

  #begin(hold: HeldMessage): Promise<Sent> {
    return this.#deliver(hold, { ...this.#parcelOf(hold), subject: this.direct.subject }, { isNew: true });
  }

  /** Continues where an earlier call or a worker stopped. */
  async #resume(hold: HeldMessage): Promise<Sent> {
    const parcel = this.#parcelOf(hold);
    // A delivery looks up an earlier request before it sends again.
    if (parcel.onUnknown === "resend") return this.#deliver(hold, parcel, { isNew: false });
    const outcome = await this.#lookUp(hold, parcel);
    if (outcome instanceof Error) throw outcome;
    return outcome === "never sent" ? this.#deliver(hold, parcel, { isNew: true }) : { ...outcome, duplicate: true };
  }

  /** This call decides how the message is sent. */
  #parcelOf({ message }: HeldMessage): Parcel {
    const { priority, onUnknown } = this.direct.message;
    return { ...parcelOf(message, this.context), priority, onUnknown, expiresAt: this.direct.expiresAt };
  }

  async #deliver(hold: HeldMessage, parcel: Parcel, { isNew }: { readonly isNew: boolean }): Promise<Sent> {
    const { context, options, leases } = this;
    let isOurs = true;
    let hasLeft = false;
    let decision: Sent | UnknownOutcomeError | undefined;
    try {
      const sent = await context.courier.deliver(parcel, {
        ...options,
        maxWait: this.#waits.leftMs,
        isNew,
        mayLeave: async () => (hasLeft = isOurs = await leases.renew(hold.lease)),
        decided: async (outcome) => {
          if (outcome instanceof Error && !(outcome instanceof UnknownOutcomeError)) return;
          decision = outcome;
          await recordOutcome(hold, context, outcome);
        },
      });
      return { ...sent, duplicate: !hasLeft };
    } catch (error) {
      // This process missed its heartbeats, and another took the message over.
      if (!isOurs) throw inDoubt(hold.message, error);
      if (decision === undefined) {
        const isInDoubt = error instanceof UnknownOutcomeError;
        await this.#note(hold, () =>
          isInDoubt ? leases.abandon(hold.lease) : releaseMessage(hold, context, previousState(hold.message)),
        );
        throw error;
      }
      // A known outcome counts even if the store could not record it.
      if (error !== decision) this.#storeFailed(hold, error);
      if (decision instanceof Error) throw decision;
      return { ...decision, duplicate: !hasLeft };
    }
  }

  /**
   * Finds out what happened to an earlier request.
   *
   * @throws {InDoubtError} The outcome is not known in time.
   */
  async #lookUp(hold: HeldMessage, parcel: Parcel): Promise<Sent | SendError | "never sent"> {
    const { context, leases } = this;
    let decision: Sent | SendError | undefined;
    const decide = async (outcome: Sent | SendError) => {
      decision = outcome;
      await recordOutcome(hold, context, outcome);
    };
    try {
      const outcome = await context.courier.reconcile(parcel, {
        closing: this.#waits.untilDeadline(),
        decided: decide,
      });
      // The ledger forgets requests after a month, so one may have been made.
      if (outcome === "never sent" && hold.message.state === "parked") await decide(unknownForTooLong(hold.message));
      return decision ?? "never sent";
    } catch (error) {
      if (decision === undefined) {
        await this.#note(hold, () => leases.abandon(hold.lease));
        throw inDoubt(hold.message, error);
      }
      this.#storeFailed(hold, error);
      return decision;
    }
  }

  /** A message that was rejected or expired long ago is sent as if its key were new. */
  async #withoutContents({ id, state }: OutboxMessage): Promise<Sent | AddedMessage> {
    if (state === "parked") throw unknownForTooLong({ id });
    await this.context.store.remove(id, { states: ["rejected", "expired"] });
    return this.#try();
  }

  /**
   * Waits briefly for the process that has the message.
   *
   * @throws {InDoubtError} There is no time for that.
   */
  async #wait({ message, dueInMs }: AddedMessage, pause: number): Promise<void> {
    const { clock } = this.context;
    const { stop, leftMs: left } = this.#waits;
    if (left === 0 || dueInMs > left) throw inDoubt(message);
    await sleep(clock, Math.min(pause, left), stop).catch(() => undefined);
    if (stop.aborted) throw inDoubt(message, stop.reason);
  }

  /** If the store fails here, whoever takes the message over after its lease comes to the same result. */
  async #note(hold: HeldMessage, change: () => Promise<void>): Promise<void> {
    await change().catch((error: unknown) => this.#storeFailed(hold, error));
  }

  #storeFailed({ message }: HeldMessage, error: unknown): void {
    this.context.publish({ type: "store-failed", ...factsOf(message), reason: messageOf(error) });
  }
}

/** A message that a worker had goes back to the queue. */
function previousState({ state, reason }: OutboxMessage): OutboxChange {
  return {
    state: state === "sending" ? "queued" : state,
    ...(reason === undefined ? {} : { reason }),
    uncounted: true,
  };
}

function unknownForTooLong({ id }: Pick<OutboxMessage, "id">): UnknownOutcomeError {
  return new UnknownOutcomeError("an earlier try ended without an answer, too long ago to look it up", {
    cause: undefined,
    id,
  });
}

function inDoubt({ id }: OutboxMessage, cause?: unknown): InDoubtError {
  return new InDoubtError(id, { cause, hint: "Call `send` again with the same `key`: the message is sent only once." });
}
