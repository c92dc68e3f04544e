import { z } from "zod";
import { logStatusSchema, type LogTransport, transportSchema } from "../../api/contract/v4/logs.js";

/** A sender or recipient of an email. */
export interface Mailbox {
  readonly email: string;
  readonly name: string | null;
}

export const eventRow = z.object({
  id: z.string(),
  entrySeq: z.int(),
  createdAt: z.int(),
  code: z.int(),
  local: z.string(),
  message: z.string(),
  server: z.string(),
  status: logStatusSchema,
});

export type LogEventRecord = Readonly<Omit<z.infer<typeof eventRow>, "entrySeq">>;

export const entryRow = z
  .object({
    seq: z.int(),
    id: z.string(),
    created_at: z.int(),
    hostname: z.string(),
    message_id: z.string(),
    subject: z.string(),
    transport: transportSchema,
    sender_email: z.string(),
    sender_name: z.string().nullable(),
    recipient_email: z.string(),
    recipient_name: z.string().nullable(),
    forward_email: z.string().nullable(),
    forward_name: z.string().nullable(),
  })
  .transform((columns) => ({
    seq: columns.seq,
    id: columns.id,
    createdAt: columns.created_at,
    hostname: columns.hostname,
    messageId: columns.message_id,
    subject: columns.subject,
    transport: columns.transport,
    sender: { email: columns.sender_email, name: columns.sender_name },
    recipient: { email: columns.recipient_email, name: columns.recipient_name },
    forward: columns.forward_email === null ? null : { email: columns.forward_email, name: columns.forward_name },
  }));

/** One email to one recipient. */
export interface NewLogEntry extends Readonly<Omit<z.infer<typeof entryRow>, "seq">> {
  readonly events: readonly LogEventRecord[];
}

export interface LogEntryRecord extends NewLogEntry {
  readonly seq: number;
}

/** An entry's position in time order. */
export interface LogPosition {
  readonly seq: number;
  readonly createdAt: number;
}

/** The part of an entry that searches need. Kept small, because they read all entries. */
export interface SearchedEntry extends LogPosition {
  readonly domainId: number;
  readonly subject: string;
  readonly sender: Mailbox;
  readonly recipient: Mailbox;
  readonly forward: Mailbox | null;
  readonly transport: LogTransport;
  /** As bits. */
  readonly statuses: number;
}
