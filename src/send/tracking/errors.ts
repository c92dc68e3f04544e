import { LettershopError } from "../../errors.js";
import type { MessageStatus } from "./message-status.js";

/**
 * The message ended with another status than the expected one.
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
    /** The latest known status: each recipient, with what happened. */
    readonly status: MessageStatus,
    awaited: string,
  ) {
    super(`The message ${status.id} will not be ${awaited}: ${status.meaning}.`);
  }
}

/** The timeout is over, and the message's status may still change. */
export class DeliveryTimeoutError extends LettershopError {
  override readonly name = "DeliveryTimeoutError";
  readonly code = "delivery_timeout";

  constructor(
    /** The latest known status. */
    readonly status: MessageStatus | undefined,
    awaited: string,
    timeoutMs: number,
    options?: { cause?: unknown },
  ) {
    super(
      `The message${status === undefined ? "" : ` ${status.id}`} was not ${awaited} within ${timeoutMs / 1000} s` +
        `${status === undefined ? "" : `: ${status.meaning}`}.`,
      {
        ...options,
        hint: "Servers may delay a message for days: increase `timeoutMs`, or call `mailer.status` later.",
      },
    );
  }
}

/** Neither the delivery log nor the outbox has the id. */
export class MessageNotFoundError extends LettershopError {
  override readonly name = "MessageNotFoundError";
  readonly code = "message_not_found";

  constructor(readonly id: string) {
    super(`There is no message with the id ${withoutAddress(id)}.`, {
      hint: "Pass the id of a send, a Message-ID, or an id of the outbox. New entries may take a minute to appear in the log, and old ones are removed.",
    });
  }
}

/** A Message-ID looks like an address, and someone may pass an address instead of an id. */
function withoutAddress(id: string): string {
  return id.includes("@") ? `<…@${id.replace(/^.*@/, "").replace(/>$/, "")}>` : id;
}
