import type { AddedMessage, NewMessage } from "../send/store/outbox.js";
import { CONNECT_MS, type Database, type Query, repeatedly } from "./database.js";
import { isRefused } from "./errors.js";
import { messageJson, newRow, readMessage } from "./outbox-rows.js";

/**
 * How long a statement waits for others to commit, such as an application's transaction that has queued a message with
 * the same key. $parameter is empty for the setting of the caller's own transaction.
 */
const waits = (parameter: string) =>
  `(${parameter}::text = '' OR set_config('lock_timeout', ${parameter}::text, true) <> '')`;

/**
 * $1 new messages as JSON, $2 how long to wait. Returns those that were added; the others have the key or the id of an
 * earlier one. It reads nothing, since serializable transactions that read where others add messages would fail.
 */
const ADD = `
  WITH new AS MATERIALIZED (
    SELECT * FROM json_to_recordset(($1::text)::json) AS new (
      id text, target text, "keyHash" text, "keyContents" text, "keyText" text, template text, priority text,
      "onUnknown" text, "sendAt" float8, "expiresAt" float8, "expiresInMs" float8, lease text, "leaseMs" float8,
      recipients json, email text
    ) WHERE ${waits("$2")}
  ), added AS (
    INSERT INTO lettershop.messages (
      id, target, state, key_hash, key_contents, key_text, template, priority, on_unknown, queued_at, send_at,
      expires_at, attempts, changed_at, lease, alive_until, direct
    )
    SELECT id, target, CASE WHEN lease IS NULL THEN 'queued' ELSE 'sending' END, "keyHash", "keyContents", "keyText",
      template, priority, "onUnknown", now, greatest(now, to_timestamp("sendAt" / 1000)),
      coalesce(to_timestamp("expiresAt" / 1000), now + "expiresInMs" * interval '1 ms'),
      CASE WHEN lease IS NULL THEN 0 ELSE 1 END, now, lease, now + "leaseMs" * interval '1 ms', lease IS NOT NULL
    FROM new, clock_timestamp() AS now
    ON CONFLICT DO NOTHING
    RETURNING *
  ), contents AS (
    INSERT INTO lettershop.contents (message, recipients, email)
    SELECT added.number, ARRAY(SELECT json_array_elements_text(new.recipients)), new.email
    FROM added JOIN new USING (id)
  )
  SELECT ${messageJson("added")} FROM added`;

/**
 * $1 id, $2 target, $3 hash of the key, $4 hash of its contents, $5 whether the outbox must send it, $6 how long to wait.
 * Returns the message with the id or the key.
 */
const JOIN = `
  WITH joined AS (
    UPDATE lettershop.messages SET direct = false
    WHERE $5::boolean AND target = $2::text AND key_hash = $3::text AND key_contents = $4::text AND direct
      AND id <> $1::text AND ${waits("$6")}
    RETURNING *
  ), earlier AS (
    SELECT * FROM joined
    UNION ALL
    SELECT * FROM lettershop.messages
    WHERE (id = $1::text OR (target = $2::text AND key_hash = $3::text)) AND NOT EXISTS (SELECT FROM joined)
  )
  SELECT (key_contents IS NOT DISTINCT FROM $4::text)::text || ${messageJson("earlier")} FROM earlier`;

function addedFrom(json: string): AddedMessage {
  const { message, dueInMs } = readMessage(json);
  return { message, added: true, sameContents: true, dueInMs };
}

/** How often a message is added again because the one with its key was just removed. */
const REMOVED_MAX = 10;

/** @param wait How long to wait for others to commit; empty for the setting of the caller's transaction. */
export async function addAlone(message: NewMessage, query: Query, wait: string): Promise<AddedMessage> {
  const json = JSON.stringify([newRow(message)]);
  for (let tries = 1; tries <= REMOVED_MAX; tries += 1) {
    const [row] = await query(ADD, [json, wait]);
    const added = row === undefined ? await join(message, query, wait) : addedFrom(row);
    if (added !== undefined) return added;
  }
  throw new Error("Messages with the key were added and removed all the time.");
}

/** Returns the message that has the key, or the id after a lost answer; undefined if it is just being removed. */
async function join(message: NewMessage, query: Query, wait: string): Promise<AddedMessage | undefined> {
  const { id, target, key, lease } = message;
  const mustQueue = lease === undefined;
  const [row] = await query(JOIN, [id, target, key?.hash ?? null, key?.contents ?? null, mustQueue, wait]);
  if (row === undefined) return undefined;
  const { message: earlier, dueInMs } = readMessage(row.slice(row.indexOf("{")));
  if (earlier.id === id) return { message: earlier, added: true, sameContents: true, dueInMs };
  const sameContents = row.startsWith("true");
  if (sameContents && mustQueue && earlier.direct) return undefined;
  return { message: earlier, added: false, sameContents, dueInMs };
}

interface Waiting {
  readonly message: NewMessage;
  readonly json: string;
  readonly since: number;
  readonly resolve: (added: AddedMessage) => void;
  readonly reject: (error: unknown) => void;
}

const GROUPS = 2;
const GROUP_MESSAGES = 100;
const GROUP_CHARACTERS = 1_000_000;
/** How long a group waits for transactions that hold one of its keys, before each message waits alone. */
const GROUP_WAIT = "200ms";
/** Shorter than the wait for the answer, after which nobody would know whether the message was added. */
const ALONE_WAIT = "20s";

/** Adds the messages that are added at the same time with one statement: the commit takes most of the time. */
export class Adding {
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(private readonly database: Database) {}

  add(message: NewMessage): Promise<AddedMessage> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, json: JSON.stringify(newRow(message)), since, resolve, reject });
      if (this.#running < GROUPS) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running += 1;
    // What is added in the same turn comes along.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#addGroup(this.#nextGroup());
    this.#running -= 1;
  }

  #nextGroup(): readonly Waiting[] {
    let characters = 0;
    const end = this.#waiting.findIndex(({ json }, index) => {
      characters += json.length;
      return index > 0 && (index === GROUP_MESSAGES || characters > GROUP_CHARACTERS);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #addGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const json = `[${group.map((each) => each.json).join()}]`;
      const rows = await repeatedly(() => this.database.query(ADD, [json, GROUP_WAIT]));
      const added = new Map(rows.map(addedFrom).map((each) => [each.message.id, each]));
      for (const each of group) {
        const own = added.get(each.message.id);
        if (own === undefined) this.#addAlone(each);
        else each.resolve(own);
      }
    } catch (error) {
      if (isRefused(error)) for (const each of group) this.#addAlone(each);
      else for (const { reject } of [...group, ...this.#tooLate()]) reject(error);
    }
  }

  /** One that waits for a transaction, or that the database refuses, does not keep the others waiting. */
  #addAlone({ message, resolve, reject }: Waiting): void {
    repeatedly(() => addAlone(message, this.database.query, ALONE_WAIT)).then(resolve, reject);
  }

  /** Those that have waited for the database as long as others try to reach it. */
  #tooLate(): readonly Waiting[] {
    const before = performance.now() - CONNECT_MS;
    const end = this.#waiting.findIndex(({ since }) => since > before);
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}
