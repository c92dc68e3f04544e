import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { SendEvent } from "./events.js";
import { SEND_CHANNEL } from "./publish.js";

/**
 * Listens to the events of all mailers in this process. Events contain nothing personal. A typed form of
 * `subscribe("lettershop:send", …)` from `node:diagnostics_channel`.
 *
 * @example
 * const stop = onSendEvent((event) => {
 *   if (event.type === "accepted") histogram.record(event.durationMs, { template: event.template });
 *   if (event.type === "parked") logger.warn({ id: event.id }, "unknown whether this message was sent");
 * });
 *
 * @param listener Called synchronously while the mailer works, so it must be quick. An error in it is an uncaught
 * exception of the process and does not fail the send.
 * @returns A function that stops listening.
 */
export function onSendEvent(listener: (event: SendEvent) => void): () => void {
  // Only `publish` writes to this channel.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const receive = (event: unknown) => listener(event as SendEvent);
  subscribe(SEND_CHANNEL, receive);
  return () => void unsubscribe(SEND_CHANNEL, receive);
}
