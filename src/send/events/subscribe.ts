import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { SendEvent } from "./events.js";
import { SEND_CHANNEL } from "./publish.js";

/**
 * Listens to what all mailers of this process tell of their work. Nothing in an event is personal. The same as
 * `subscribe("lettershop:send", …)` of `node:diagnostics_channel`, typed.
 *
 * @example
 * const stop = onSendEvent((event) => {
 *   if (event.type === "accepted") histogram.record(event.durationMs, { template: event.template });
 *   if (event.type === "parked") logger.warn({ id: event.id }, "nobody knows whether this mail was sent");
 * });
 *
 * @param listener Called at once, while the mailer works: it is to be quick. What it throws is an uncaught exception of the
 * process, and no send's.
 * @returns What ends it.
 */
export function onSendEvent(listener: (event: SendEvent) => void): () => void {
  // Only `publish` writes to this channel.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const receive = (event: unknown) => listener(event as SendEvent);
  subscribe(SEND_CHANNEL, receive);
  return () => void unsubscribe(SEND_CHANNEL, receive);
}
