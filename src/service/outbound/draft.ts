import type { OutboundMessage } from "./message.js";

/** A mail that was accepted: all that its source is made of, so that it can be composed at any time, always the same. */
export interface Draft {
  /** The log id of its first recipient. */
  readonly id: string;
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly message: OutboundMessage;
}

/** A draft as the database keeps it. */
export function writeDraft(draft: Draft): string {
  return JSON.stringify(draft);
}

/** What `writeDraft` wrote. */
export function readDraft(text: string): Draft {
  return JSON.parse(text);
}
