import type { FileDatabase, SqlValue } from "../../sqlite/driver.js";
import {
  type CleanOptions,
  type NewMessage,
  OUTBOX_STATES,
  type OutboxCounts,
  type OutboxFilter,
  type OutboxMessage,
  type OutboxState,
  type StoredMessage,
} from "./outbox.js";
import { Base64Content } from "../../api/calls/http.js";
import type { OutboundAttachment, OutboundEmail } from "../../api/resources/emails.js";
import { setTimeout as sleep } from "node:timers/promises";
import { type Queries, type SqlRow } from "./sqlite-file.js";
import type { GroupCommit } from "../../sqlite/transaction.js";

/** Dates by the wall clock, which may be set, and leases by the machine's time, which runs evenly. */
export interface Now {
  readonly wall: number;
  readonly time: number;
}

export function columnsOf(message: NewMessage, { wall, time }: Now): Readonly<Record<string, SqlValue>> {
  const { id, target, key, template, priority, onUnknown, sendAt = wall, expires, lease } = message;
  return {
    id,
    target,
    state: lease === undefined ? "queued" : "sending",
    key_hash: key?.hash ?? null,
    key_contents: key?.contents ?? null,
    key_text: key?.text ?? null,
    template: template ?? null,
    priority,
    on_unknown: onUnknown,
    queued_at: wall,
    send_at: Math.max(wall, sendAt),
    expires_at: expires === undefined ? null : "at" in expires ? expires.at : wall + expires.inMs,
    attempts: lease === undefined ? 0 : 1,
    changed_at: wall,
    lease: lease?.id ?? null,
    alive_until: lease === undefined ? null : time + lease.forMs,
    direct: lease === undefined ? 0 : 1,
  };
}

export function messageOf(row: SqlRow): OutboxMessage {
  const { key_text, template, expires_at, sent_id, sent_message_id, reason } = row;
  return {
    id: String(row["id"]),
    target: String(row["target"]),
    ...(typeof key_text === "string" ? { key: key_text } : {}),
    state: stateOf(row),
    ...(typeof template === "string" ? { template } : {}),
    priority: row["priority"] === "high" ? "high" : "normal",
    onUnknown: row["on_unknown"] === "resend" ? "resend" : "park",
    queuedAt: Number(row["queued_at"]),
    sendAt: Number(row["send_at"]),
    ...(expires_at === null ? {} : { expiresAt: Number(expires_at) }),
    attempts: Number(row["attempts"]),
    changedAt: Number(row["changed_at"]),
    ...(typeof sent_id === "string" && typeof sent_message_id === "string"
      ? { sent: { outcome: "accepted", id: sent_id, messageId: sent_message_id } }
      : {}),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(row["direct"] === 1 ? { direct: true } : {}),
    hasContents: Boolean(row["has_contents"]),
  };
}

/** Milliseconds until a message is due, by the wall clock; 0 if it is, or is not queued. */
export function timeToDue(row: SqlRow, wall: number): number {
  return stateOf(row) === "queued" ? Math.max(0, Number(row["send_at"]) - wall) : 0;
}

export function stateOf(row: SqlRow): OutboxState {
  const known = OUTBOX_STATES.find((state) => state === row["state"]);
  if (known === undefined) throw new Error(`The outbox has a message in the state ${String(row["state"])}.`);
  return known;
}

/** @param contents The row with the email's JSON; undefined if the contents are not kept. */
export function storedMessageOf(
  row: SqlRow,
  contents: SqlRow | undefined,
  files: readonly Uint8Array[],
): StoredMessage {
  const message = messageOf(row);
  if (!contents) return message;
  return { ...message, email: putTogether({ json: String(contents["email"]), files }) };
}

/** An email as JSON, with its files separate: ten megabytes should not become part of one string. */
interface Contents {
  readonly json: string;
  readonly files: readonly Uint8Array[];
}

type FileFacts = Omit<OutboundAttachment, "content">;

export function splitAttachments({ attachments, ...email }: OutboundEmail): Contents {
  if (attachments === undefined) return { json: JSON.stringify(email), files: [] };
  const facts = attachments.map(({ filename, content_type, content_id }): FileFacts => ({
    filename,
    content_type,
    content_id,
  }));
  const files = attachments.map(({ content }) =>
    typeof content === "string" ? Buffer.from(content, "base64") : content.bytes,
  );
  return { json: JSON.stringify({ ...email, attachments: facts }), files };
}

function putTogether({ json, files }: Contents): OutboundEmail {
  const stored: Omit<OutboundEmail, "attachments"> & { attachments?: readonly FileFacts[] } = JSON.parse(json);
  const { attachments, ...email } = stored;
  if (attachments === undefined) return email;
  const content = (index: number) => new Base64Content(files[index] ?? new Uint8Array());
  return { ...email, attachments: attachments.map((facts, index) => ({ ...facts, content: content(index) })) };
}

/** Files are written and read in parts, so that the database only copies small pieces. */
const PART_BYTES = 256 * 1024;

export function writeFiles(sql: Queries, message: number, files: readonly Uint8Array[]): void {
  for (const [position, file] of files.entries())
    // An empty file also has one part.
    for (let start = 0; start === 0 || start < file.byteLength; start += PART_BYTES) {
      const part = file.subarray(start, start + PART_BYTES);
      sql.run("INSERT INTO outbox_files VALUES (?, ?, ?, ?)", message, position, start, part);
    }
}

export function readFiles(sql: Queries, message: number): readonly Uint8Array[] {
  const files: Uint8Array[] = [];
  for (;;) {
    const row = sql.get(
      "SELECT sum(length(content)) AS bytes FROM outbox_files WHERE message = ? AND position = ?",
      message,
      files.length,
    );
    if (typeof row?.["bytes"] !== "number") return files;
    const file = new Uint8Array(row["bytes"]);
    for (let start = 0; start < file.byteLength; start += PART_BYTES) {
      const part = sql.get(
        "SELECT content FROM outbox_files WHERE message = ? AND position = ? AND start = ?",
        message,
        files.length,
        start,
      );
      if (part?.["content"] instanceof Uint8Array) file.set(part["content"], start);
    }
    files.push(file);
  }
}

const PROBLEMS = 10;

export function readCounts(sql: Queries, target: string, now: number): OutboxCounts {
  const byState = sql.all("SELECT state, count(*) AS n FROM outbox_messages WHERE target = ? GROUP BY state", target);
  const countOf = (state: OutboxState) => Number(byState.find((row) => row["state"] === state)?.["n"] ?? 0);
  const states = OUTBOX_STATES.map((state) => [state, countOf(state)]);
  const due = sql.all(
    `SELECT priority, count(*) AS n FROM outbox_messages
      WHERE state = 'queued' AND target = ? AND send_at <= ? GROUP BY priority`,
    target,
    now,
  );
  const [oldest] = sql.all(
    "SELECT min(send_at) AS at FROM outbox_messages WHERE state IN ('queued', 'sending') AND target = ? AND send_at <= ?",
    target,
    now,
  );
  const dueOf = (priority: string) => Number(due.find((row) => row["priority"] === priority)?.["n"] ?? 0);
  const elsewhere = sql.all("SELECT count(*) AS n FROM outbox_messages WHERE state = 'queued' AND target <> ?", target);
  const problems = sql.all(
    `SELECT state, reason, count(*) AS n, max(changed_at) AS last FROM outbox_messages
      WHERE target = ? AND state IN ('queued', 'parked', 'rejected') AND reason IS NOT NULL
      GROUP BY state, reason ORDER BY n DESC, last DESC LIMIT ${PROBLEMS}`,
    target,
  );
  return {
    states: Object.fromEntries(states),
    due: { high: dueOf("high"), normal: dueOf("normal") },
    ...(typeof oldest?.["at"] === "number" ? { oldestDueMs: now - oldest["at"] } : {}),
    elsewhere: Number(elsewhere[0]?.["n"] ?? 0),
    problems: problems.map((row) => ({
      state: stateOf(row),
      reason: String(row["reason"]),
      messages: Number(row["n"]),
      lastAt: Number(row["last"]),
    })),
  };
}

const LIMIT = 100;

export function listQuery(target: string, filter: OutboxFilter): { readonly sql: string; readonly values: SqlValue[] } {
  const { state, template, since, recipient, sentId, after, limit = LIMIT } = filter;
  const conditions: [string, ...SqlValue[]][] = [["target = ?", target]];
  if (state !== undefined)
    conditions.push(["state IN (SELECT value FROM json_each(?))", JSON.stringify([state].flat())]);
  if (template !== undefined) conditions.push(["template = ?", template]);
  if (since !== undefined) conditions.push(["queued_at >= ?", since]);
  if (sentId !== undefined) conditions.push(["(sent_id = ? OR sent_message_id = ?)", sentId, sentId]);
  if (recipient !== undefined)
    conditions.push([
      "number IN (SELECT message FROM outbox_contents WHERE instr(recipients, ?))",
      `\n${recipient.toLowerCase()}\n`,
    ]);
  if (after !== undefined) conditions.push(["number < (SELECT number FROM outbox_messages WHERE id = ?)", after]);
  // Sorts only the numbers, which the index has: sorting whole rows takes six times as long.
  return {
    sql: `SELECT * FROM outbox_messages WHERE number IN (
        SELECT number FROM outbox_messages
        WHERE ${conditions.map(([condition]) => condition).join(" AND ")} ORDER BY number DESC LIMIT ?)
      ORDER BY number DESC`,
    values: [...conditions.flatMap(([, ...values]) => values), limit],
  };
}

/** Few enough that other writers don't wait long: a message may have 13 MB of attachments. */
const AT_ONCE = 20;
/** Milliseconds to wait for other users of the file; otherwise the next cleanup empties the log. */
const LOG_TIMEOUT_MS = 100;
const LOG_AGAIN_AFTER_MS = 10;

/**
 * Deletes expired data. SQLite overwrites it in the file (`secure_delete`); in the write-ahead log it stays until that
 * is emptied, which is also done here.
 */
export async function cleanOutbox(
  database: FileDatabase,
  sql: Queries,
  group: GroupCommit,
  { target, contentsMs, undecidedMs, messagesMs }: CleanOptions,
  now: number,
): Promise<void> {
  const deleteAll = async (which: string, before: number, whole = false) => {
    while ((await group.write(() => deleteSome(which, before, whole))) === AT_ONCE);
  };
  const deleteSome = (which: string, before: number, whole: boolean) => {
    const expired = `target = ? AND ${which} AND changed_at < ? LIMIT ${AT_ONCE}`;
    const rows = sql.all(`SELECT number FROM outbox_messages WHERE ${expired}`, target, before);
    const numbers = JSON.stringify(rows.map((row) => Number(row["number"])));
    const deleteFrom = (part: string) => sql.run(`${part} IN (SELECT value FROM json_each(?))`, numbers);
    deleteFrom("DELETE FROM outbox_contents WHERE message");
    deleteFrom("DELETE FROM outbox_files WHERE message");
    if (whole) deleteFrom("DELETE FROM outbox_messages WHERE number");
    else deleteFrom("UPDATE outbox_messages SET key_text = NULL, has_contents = 0 WHERE number");
    return rows.length;
  };

  const settled = "'accepted', 'expired', 'discarded'";
  const undecided = "'parked', 'rejected'";
  await deleteAll(`state IN (${settled}) AND has_contents = 1`, now - contentsMs);
  await deleteAll(`state IN (${undecided}) AND has_contents = 1`, now - undecidedMs);
  await deleteAll(`state IN (${settled}, ${undecided}) AND has_contents IN (0, 1)`, now - messagesMs, true);
  await emptyLog(database);
}

async function emptyLog(database: FileDatabase): Promise<void> {
  const until = performance.now() + LOG_TIMEOUT_MS;
  const isHeld = () => database.prepare(`PRAGMA ${database.schema}.wal_checkpoint(TRUNCATE)`).get()?.["busy"] === 1;
  while (isHeld() && performance.now() < until) await sleep(LOG_AGAIN_AFTER_MS);
}
