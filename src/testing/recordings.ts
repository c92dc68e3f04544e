import type { Mailer } from "../send/mailer.js";
import type { Recorded } from "./find.js";

/** A mailer that records: a test mailer, a result of `recordMailer`, or the mailer that was passed to it. */
export type Recording<Types extends object> = Pick<Mailer<Types>, "types">;

const recordings = new WeakMap<object, Recorded>();

/** Remembers what records for a mailer, so that tests may pass the mailer itself. */
export function noteRecording(mailer: object, recorded: Recorded): void {
  recordings.set(mailer, recorded);
}

export function forgetRecording(mailer: object): void {
  recordings.delete(mailer);
}

/** @throws {TypeError} It does not record. */
export function recordedBy(mailer: unknown): Recorded {
  if (typeof mailer === "object" && mailer !== null) {
    if (isRecorded(mailer)) return mailer;
    const recorded = recordings.get(mailer);
    if (recorded !== undefined) return recorded;
  }
  throw new TypeError("This mailer does not record. Use createTestMailer(), or recordMailer(mailer).");
}

function isRecorded(mailer: object): mailer is Recorded {
  return "sent" in mailer && "queued" in mailer;
}
