import type { Clock } from "../send/clock.js";
import type { Courier, CourierOptions } from "../send/delivery/courier.js";
import type { Parcel, Sent } from "../send/delivery/parcel.js";
import { ExpiredError, SendAbortedError } from "../send/errors.js";
import { publish } from "../send/events/publish.js";
import type { Failures } from "./failures.js";

export interface RecordingCourierOptions {
  readonly clock: Clock;
  readonly failures: Failures;
  /** Records a parcel that would be sent now. */
  readonly record: (parcel: Parcel) => Promise<Sent>;
}

/** Records a parcel instead of making a request; failures that a test asks for have the real courier's errors. */
export function recordingCourier({ clock, failures, record }: RecordingCourierOptions): Courier {
  async function deliver(parcel: Parcel, { signal, closing, mayLeave, decided }: CourierOptions): Promise<Sent> {
    const { id, template, priority, expiresAt } = parcel;
    const message = { id, priority, ...(template === undefined ? {} : { template }) };
    for (const ending of [signal, closing])
      if (ending?.aborted === true) throw new SendAbortedError({ cause: ending.reason });
    if (expiresAt !== undefined && expiresAt <= clock.time()) {
      publish({ type: "expired", ...message });
      throw new ExpiredError();
    }
    if (mayLeave !== undefined && !(await mayLeave())) throw new SendAbortedError();
    publish({ type: "attempt", attempt: 1, waitedMs: 0, ...message });
    const failure = failures.take(template);
    if (failure === undefined) {
      const sent = await record(parcel);
      publish({ type: "accepted", messageId: sent.messageId, durationMs: 0, ...message });
      await decided?.(sent);
      return sent;
    }
    if (failure.code === "rejected") publish({ type: "rejected", status: 422, ...message });
    if (failure.code === "unknown_outcome") publish({ type: "parked", ...message });
    if (failure.code === "rejected" || failure.code === "unknown_outcome") await decided?.(failure);
    throw failure;
  }
  return { deliver, reconcile: async () => "never sent", close: async () => undefined };
}
