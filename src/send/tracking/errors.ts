import { LettershopError } from "../../errors.js";
import type { MessageStatus } from "./message-status.js";

/**
 * The message has come to another end than the one that was waited for.
 *
 * @example
 * try {
 *   await mailer.waitFor(sent.id, "DELIVERED");
 * } catch (error) {
 *   if (error instanceof NotDeliveredError) console.log(error.status.recipients);
 * }
 */
export class NotDeliveredError extends LettershopError {
  override readonly name = "NotDeliveredError";
  readonly code = "not_delivered";

  constructor(
    /** As it was seen last: each recipient, with what happened. */
    readonly status: MessageStatus,
    awaited: string,
  ) {
    super(`The message ${status.id} will not be ${awaited}: ${status.meaning}.`);
  }
}

/** The time that the caller gave is over, and the message's fate is still open. */
export class DeliveryTimeoutError extends LettershopError {
  override readonly name = "DeliveryTimeoutError";
  readonly code = "delivery_timeout";

  constructor(
    /** As it was seen last. */
    readonly status: MessageStatus | undefined,
    awaited: string,
    timeoutMs: number,
    options?: { cause?: unknown },
  ) {
    super(
      `The message${status === undefined ? "" : ` ${status.id}`} was not ${awaited} within ${timeoutMs / 1000} s` +
        `${status === undefined ? "" : `: ${status.meaning}`}.`,
      { ...options, hint: "Servers may put a mail off for days: wait longer, or ask `mailer.status` later." },
    );
  }
}

/** Neither the delivery log nor the outbox knows the id. */
export class MessageNotFoundError extends LettershopError {
  override readonly name = "MessageNotFoundError";
  readonly code = "message_not_found";

  constructor(readonly id: string) {
    super(`Nothing is known of a message with the id ${withoutAddress(id)}.`, {
      hint: "It takes the id of a send, a Message-ID, or an id of the outbox. The log has new entries after up to a minute, and drops old ones.",
    });
  }
}

/** A Message-ID looks like an address, and an address may stand where an id is meant. */
function withoutAddress(id: string): string {
  return id.includes("@") ? `<…@${id.replace(/^.*@/, "").replace(/>$/, "")}>` : id;
}
