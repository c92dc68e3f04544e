import type { OutboundMessage } from "./message.js";

/**
 * An accepted email: everything its source consists of, so that it can be composed at any time with the same result.
 */
export interface Draft {
  /** The log id of its first recipient. */
  readonly id: string;
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly message: OutboundMessage;
}

/** Serialises a draft for the database. */
export function writeDraft(draft: Draft): string {
  return JSON.stringify(draft);
}

/** Parses what `writeDraft` wrote. */
export function readDraft(text: string): Draft {
  return JSON.parse(text);
}
