import { channel } from "node:diagnostics_channel";
import type { SendEvent } from "./events.js";
import { noteInSpan } from "./spans.js";

/** The channel of `node:diagnostics_channel` on which every mailer tells of its work. */
export const SEND_CHANNEL = "lettershop:send";

const listeners = channel(SEND_CHANNEL);

/**
 * Tells who listens, and the message's span. What a listener throws does not come back here: Node reports it as an
 * uncaught exception, as for every channel.
 */
export function publish(event: SendEvent): void {
  noteInSpan(event);
  if (listeners.hasSubscribers) listeners.publish(event);
}
