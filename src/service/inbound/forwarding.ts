import { toDestination } from "../../api/local.js";
import type { ServiceContext } from "../context.js";
import { HOSTNAME } from "../delivery/deliveries.js";
import { asError } from "../../errors.js";
import { newEventId, newLogId } from "../ids.js";
import type { ForwardRecord, ReceivedRecord } from "../store/received.js";
import { isWebhook } from "../alias-fields.js";
import type { Deliver, DeliveryResult } from "./destinations.js";
import { isLarge, LargeMessages } from "./large-messages.js";
import { type FailedDelivery, notifySender } from "./messages.js";

const MINUTE_MS = 60_000;
/** Delays before each further attempt, by the service's clock: two days in all. */
const RETRIES_MS = [1, 5, 15, 60, 180, 360, 720, 1_440].map((minutes) => minutes * MINUTE_MS);
/** Maximum number of concurrent deliveries, and of those to the relay, or to the same webhook or domain of the service. */
const LANES = 100;
const LANES_EACH = 10;

/**
 * Delivers received emails to their destinations, each by itself. A destination that refuses an email temporarily is
 * tried again; when one fails for good, the sender gets a bounce. Deliveries continue when the service runs again. If
 * it stops between a delivery and recording it, an address or webhook outside of the service gets the email twice.
 */
export class Forwarding {
  readonly #context;
  readonly #deliver;
  readonly #onError;
  readonly #underWay = new Map<number, Promise<void>>();
  readonly #large = new LargeMessages();
  #nextDueAt: number;
  #isWaking = false;
  #stopped = false;

  constructor(
    context: Pick<ServiceContext, "store" | "clock" | "deliveries" | "filing">,
    deliver: Deliver,
    onError: (error: Error) => void,
  ) {
    this.#context = context;
    this.#deliver = deliver;
    this.#onError = onError;
    this.#nextDueAt = context.store.received.nextDueAt(0);
  }

  /** Starts due deliveries in the background. Costs one comparison if there are none. */
  wake(): void {
    const now = this.#context.clock.now();
    if (now < this.#nextDueAt || this.#stopped) return;
    this.#start(now);
  }

  /** Something was added that is due now. What is added at the same time starts together. */
  added(): void {
    this.#nextDueAt = 0;
    if (this.#isWaking) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      try {
        this.wake();
      } catch (error) {
        this.#onError(asError(error));
      }
    });
  }

  /** Waits for running deliveries. The others continue when the service runs again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#underWay.values());
  }

  #start(now: number): void {
    const { received } = this.#context.store;
    while (this.#underWay.size < LANES) {
      const forward = received.nextDue(now, [...this.#underWay.keys()], LANES_EACH);
      if (!forward) break;
      this.#underWay.set(forward.seq, this.#carryOut(forward));
    }
    this.#nextDueAt = received.nextDueAt(now + 1);
  }

  async #carryOut(forward: ForwardRecord): Promise<void> {
    const leave = isLarge(forward.bytes) ? await this.#large.enter() : undefined;
    try {
      const startedAt = this.#context.clock.now();
      const email = this.#stopped ? undefined : this.#context.store.received.find(forward.receivedSeq);
      const result = email && (await this.#deliver(forward, email));
      // It may have failed because the service stops. It is repeated when the service runs again.
      if (this.#stopped && result?.status === "SOFT-BOUNCE") return;
      if (email && result) await this.#record(forward, email, startedAt, result);
    } catch (error) {
      if (this.#stopped) return;
      this.#onError(asError(error));
      // Nothing can be recorded, for example because the disk is full.
      setTimeout(() => this.#end(forward), MINUTE_MS).unref();
      return;
    } finally {
      leave?.();
    }
    this.#end(forward);
  }

  #end({ seq }: ForwardRecord): void {
    this.#underWay.delete(seq);
    this.added();
  }

  /** @param startedAt Retries count from here: a test may move the clock as soon as its webhook has the email. */
  async #record(
    forward: ForwardRecord,
    email: ReceivedRecord,
    startedAt: number,
    result: DeliveryResult,
  ): Promise<void> {
    const { store, clock, filing } = this.#context;
    const now = clock.now();
    const pause = result.status === "SOFT-BOUNCE" ? RETRIES_MS[forward.attempts] : undefined;
    const { captured } = result;
    const final = result.status === "SOFT-BOUNCE" && pause === undefined ? lastTryOf(result) : result;
    const isFailure = pause === undefined && final.status !== "DELIVERED";
    const noticeId = newLogId(now);
    const notice =
      isFailure && !forward.isNotice && email.sender !== ""
        ? await notifySender({ id: noticeId, failed: [failedAt(forward, final)], ...email })
        : undefined;
    // If a power failure undoes this, the delivery is repeated.
    await store.commit(() => {
      // Its domain may have been deleted meanwhile.
      if (!store.received.isPending(forward.seq)) return;
      if (!forward.isNotice) this.#log(forward, final, now);
      if (pause !== undefined) return store.received.postpone(forward.seq, startedAt + pause);
      const mailSeq = captured && store.mails.create("forwarded", captured, email.attachments);
      store.received.end(forward.seq, mailSeq);
      const { entryId } = forward;
      if (notice) store.received.addNotice({ id: noticeId, source: notice, entryId, to: email.sender, dueAt: now });
    });
    if (captured) filing.wake();
  }

  #log(forward: ForwardRecord, { status, code, message, server }: DeliveryResult, now: number): void {
    const { entryId, domainId, destination, destinations } = forward;
    this.#context.deliveries.addEvent(domainId, entryId, {
      id: newEventId(now),
      createdAt: now,
      status,
      code,
      message: destinations > 1 ? toDestination(message, isWebhook(destination) ? server : destination) : message,
      local: HOSTNAME,
      server,
    });
  }
}

/** For the sender, who must not learn where the address forwards to. A relay may repeat that in another case. */
function failedAt({ recipient, destination }: ForwardRecord, { code, message }: DeliveryResult): FailedDelivery {
  const named = new RegExp(destination.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), "gi");
  return { recipient, code, message: message.replaceAll(named, () => recipient) };
}

function lastTryOf(result: DeliveryResult): DeliveryResult {
  return { ...result, status: "BOUNCED", message: `${result.message} (given up after ${RETRIES_MS.length + 1} tries)` };
}
