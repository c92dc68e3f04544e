import { z } from "zod";
import type { Database } from "../../sqlite/driver.js";
import { NEVER, prepareNumber, prepareQuery } from "./statements.js";

const forwardRow = z.object({
  seq: z.int(),
  /** A log id of its own, by which the inbox shows what was forwarded. */
  id: z.string(),
  receivedSeq: z.int(),
  domainId: z.int(),
  entryId: z.string(),
  /** The address at the domain that it was sent to. */
  recipient: z.string(),
  destination: z.string(),
  /** How many destinations the email has there. */
  destinations: z.int(),
  /** Whether it tells the sender that a delivery failed. */
  isNotice: z.int().transform(Boolean),
  attempts: z.int(),
  /** Size of the email. */
  bytes: z.int(),
});

/** A received email on its way to one destination. */
export type ForwardRecord = Readonly<z.infer<typeof forwardRow>>;

const receivedRow = z.object({
  sender: z.string(),
  source: z.instanceof(Uint8Array),
  attachments: z.int(),
  originSeq: z.int(),
});

export interface ReceivedRecord {
  /** The sender's address in the envelope; empty for bounces. */
  readonly sender: string;
  /** As received, in RFC 5322 format. */
  readonly source: Uint8Array;
  /** Number of attachments, without images that the HTML embeds. */
  readonly attachments: number;
  /** The number of the email from elsewhere that led to this one; its own number if it came from elsewhere. */
  readonly originSeq: number;
}

export interface NewReceived extends Omit<ReceivedRecord, "originSeq"> {
  /** Headers that come before those of the source. They are joined here, because copies of large emails take time. */
  readonly headers?: Uint8Array;
  /** Undefined for an email from elsewhere. */
  readonly originSeq?: number | undefined;
}

export interface NewForward {
  readonly id: string;
  readonly receivedSeq: number;
  readonly entryId: string;
  /** An address or a webhook. */
  readonly destination: string;
  /** Null if it is delivered already. */
  readonly dueAt: number | null;
  /** The number of the captured email, if it is delivered already. */
  readonly mailSeq?: number | undefined;
}

/** Tells a sender that a delivery failed. */
export interface NewNotice {
  readonly id: string;
  readonly source: Uint8Array;
  /** The entry of the delivery. */
  readonly entryId: string;
  readonly to: string;
  readonly dueAt: number;
}

const HOST = "substr(destination, instr(destination, '@') + 1)";
/** Who takes an email: a webhook, one of the service's own domains, or for all other addresses the relay. */
const RECEIVER = `iif(instr(destination, ':') > 0 OR lower(${HOST}) IN (SELECT name FROM domains), ${HOST}, 'relay')`;

const NO_HEADERS = new Uint8Array();
/** The parts of a notice after its text. */
const NOTICE_ATTACHMENTS = 2;

/** Received emails and their deliveries, until the log's entries of them expire. */
export function receivedStore(database: Database) {
  const insert = prepareNumber(
    database,
    "INSERT INTO received (sender, source, attachments, origin_seq) VALUES (?, CAST(? || ? AS BLOB), ?, ?) RETURNING seq",
  );
  const find = prepareQuery(
    database,
    receivedRow,
    "SELECT sender, source, attachments, coalesce(origin_seq, seq) AS originSeq FROM received WHERE seq = ?",
  );
  const reached = prepareQuery(
    database,
    z.object({ entryId: z.string() }),
    `SELECT entry_id AS entryId
    FROM received JOIN forwards ON received_seq = received.seq JOIN log_entries ON log_entries.id = entry_id
    WHERE (received.seq = ? OR origin_seq = ?) AND is_notice = 0 AND recipient_key = ? LIMIT 1`,
  );
  const insertForward = database.prepare(`
    INSERT INTO forwards (id, received_seq, entry_id, destination, is_notice, due_at, mail_seq)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const nextDueAt = prepareNumber(database, `SELECT coalesce(min(due_at), ${NEVER}) FROM forwards WHERE due_at >= ?`);
  const nextDue = prepareQuery(
    database,
    forwardRow,
    `WITH under_way AS (SELECT seq, ${RECEIVER} AS receiver FROM forwards WHERE seq IN (SELECT value FROM json_each(?)))
    SELECT forwards.seq, forwards.id, received_seq AS receivedSeq, domain_id AS domainId, entry_id AS entryId,
      recipient_email AS recipient, destination, is_notice AS isNotice, attempts,
      (SELECT count(*) FROM forwards AS all_of WHERE all_of.entry_id = forwards.entry_id AND NOT is_notice) AS destinations,
      (SELECT length(source) FROM received WHERE received.seq = received_seq) AS bytes
    FROM forwards JOIN log_entries ON log_entries.id = entry_id
    WHERE due_at <= ? AND forwards.seq NOT IN (SELECT seq FROM under_way)
      AND ${RECEIVER} NOT IN (SELECT receiver FROM under_way GROUP BY receiver HAVING count(*) >= ?)
    ORDER BY due_at, forwards.seq LIMIT 1`,
  );
  const pending = prepareNumber(database, "SELECT count(*) FROM forwards WHERE seq = ? AND due_at IS NOT NULL");
  const postpone = database.prepare("UPDATE forwards SET attempts = attempts + 1, due_at = ? WHERE seq = ?");
  const end = database.prepare("UPDATE forwards SET due_at = NULL, mail_seq = ? WHERE seq = ?");
  const secret = z.instanceof(Uint8Array).parse(database.prepare("SELECT secret FROM secrets").get()?.["secret"]);

  return {
    /** Signs rewritten senders. */
    secret,
    /** Adds a received email and returns its number. */
    add: ({ sender, headers = NO_HEADERS, source, attachments, originSeq }: NewReceived) =>
      insert(sender, headers, source, attachments, originSeq ?? null),
    find: (seq: number): ReceivedRecord | undefined => find.first(seq),
    /** The log id of an address that an email from elsewhere has reached already, directly or through other addresses. */
    reached: (originSeq: number, address: string): string | undefined =>
      reached.first(originSeq, originSeq, address.toLowerCase())?.entryId,
    addForward({ id, receivedSeq, entryId, destination, dueAt, mailSeq }: NewForward): void {
      insertForward.run(id, receivedSeq, entryId, destination, 0, dueAt, mailSeq ?? null);
    },
    /** Adds a notice and its delivery. It has no sender, so that it causes no further one. */
    addNotice({ id, source, entryId, to, dueAt }: NewNotice): void {
      const receivedSeq = insert("", NO_HEADERS, source, NOTICE_ATTACHMENTS, null);
      insertForward.run(id, receivedSeq, entryId, to, 1, dueAt, null);
    },
    /** When the next delivery is due, of those after a time; `Infinity` if there is none. */
    nextDueAt: (after: number) => nextDueAt(after),
    /** The oldest due delivery that is not under way, to a receiver with fewer than `limit` under way. */
    nextDue: (now: number, underWay: readonly number[], limit: number) =>
      nextDue.first(JSON.stringify(underWay), now, limit),
    /** Whether a delivery still exists and has not ended. */
    isPending: (seq: number) => pending(seq) > 0,
    /** Counts an attempt and sets the time of the next one. */
    postpone(seq: number, dueAt: number): void {
      postpone.run(dueAt, seq);
    },
    /** Ends a delivery. `mailSeq` is the number of the captured email, if there is one. */
    end(seq: number, mailSeq: number | null = null): void {
      end.run(mailSeq, seq);
    },
  };
}
