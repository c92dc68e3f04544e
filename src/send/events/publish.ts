import { channel } from "node:diagnostics_channel";
import type { SendEvent } from "./events.js";
import { noteInSpan } from "./spans.js";

/** The channel of `node:diagnostics_channel` on which every mailer reports its work. */
export const SEND_CHANNEL = "lettershop:send";

const listeners = channel(SEND_CHANNEL);

/**
 * Notifies the listeners and the message's span. An error in a listener does not come back here: Node reports it as an
 * uncaught exception, as for every channel.
 */
export function publish(event: SendEvent): void {
  noteInSpan(event);
  if (listeners.hasSubscribers) listeners.publish(event);
}
