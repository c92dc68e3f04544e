import { type Parcel, recipientsOf, type Sent } from "../parcel.js";
import { Latest } from "../../cache/latest.js";

/** A message that this process has sent, with the fields that looking it up needs. */
export interface RecentSend {
  /** The id of a log entry. */
  readonly id: string;
  readonly messageId: string;
  /** Number of distinct addresses. */
  readonly recipients: number;
  /** By `clock.time()`: when it was accepted. */
  readonly at: number;
}

/** Remembers the latest sends, so that a message is known even before the log shows it. */
export interface Recent {
  note(sent: Sent, email: Pick<Parcel["email"], "to" | "cc" | "bcc">, at: number): void;
  /** By log id or Message-ID. */
  find(id: string): RecentSend | undefined;
}

/** About two hours' worth, at the service's pace. */
const REMEMBERED = 1200;

export function createRecent(): Recent {
  const byId = new Latest<RecentSend>(REMEMBERED);
  const idByMessage = new Latest<string>(REMEMBERED);
  return {
    note({ id, messageId }, email, at) {
      byId.set(id, { id, messageId, recipients: recipientsOf(email).length, at });
      idByMessage.set(bare(messageId), id);
    },
    find: (id) => byId.get(idByMessage.get(bare(id)) ?? id),
  };
}

/** A Message-ID without its angle brackets, which are optional in input. */
export function bare(messageId: string): string {
  return messageId.startsWith("<") && messageId.endsWith(">") ? messageId.slice(1, -1) : messageId;
}
