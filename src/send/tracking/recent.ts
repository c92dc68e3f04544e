import type { Sent } from "../delivery/parcel.js";
import { Latest } from "../../latest.js";

/** A message that this process has sent, as far as looking it up needs it. */
export interface RecentSend {
  /** Of a log entry. */
  readonly id: string;
  readonly messageId: string;
  /** Different addresses. */
  readonly recipients: number;
  /** By `clock.time()`: when it was accepted. */
  readonly at: number;
}

/** Remembers the latest sends: what was accepted a moment ago is not lost because the log does not show it yet. */
export interface Recent {
  note(sent: Sent, email: Recipients, at: number): void;
  /** By log id or Message-ID. */
  find(id: string): RecentSend | undefined;
}

interface Recipients {
  readonly to: string | readonly string[];
  readonly cc?: string | readonly string[] | undefined;
  readonly bcc?: string | readonly string[] | undefined;
}

/** Two hours at the service's pace. */
const KEPT = 1200;

export function createRecent(): Recent {
  const byId = new Latest<RecentSend>(KEPT);
  const idByMessage = new Latest<string>(KEPT);
  return {
    note({ id, messageId }, email, at) {
      byId.set(id, { id, messageId, recipients: countRecipients(email), at });
      idByMessage.set(bare(messageId), id);
    },
    find: (id) => byId.get(idByMessage.get(bare(id)) ?? id),
  };
}

/** How many entries of the log a message has at least. */
export function countRecipients({ to, cc = [], bcc = [] }: Recipients): number {
  if (to.length === 1 && cc.length === 0 && bcc.length === 0) return 1;
  const emails = [to, cc, bcc].flat().map((address) => (/<([^<>]+)>$/.exec(address)?.[1] ?? address).toLowerCase());
  return new Set(emails).size;
}

/** A Message-ID without its angle brackets, which not everybody writes. */
export function bare(messageId: string): string {
  return messageId.startsWith("<") && messageId.endsWith(">") ? messageId.slice(1, -1) : messageId;
}
