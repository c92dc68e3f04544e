import type { Priority } from "../send/parcel.js";
import type {
  AddedMessage,
  CleanOptions,
  ExpectedMessage,
  NewMessage,
  OutboxChange,
  OutboxCounts,
  OutboxFilter,
  OutboxMessage,
  OutboxState,
  OutboxStore,
  StoredMessage,
  TakenMessage,
  TakeOptions,
} from "../send/store/outbox.js";
import { addAlone, Adding } from "./adding.js";
import type { Database, Query, SqlValue } from "./database.js";
import { storeErrorOf } from "./errors.js";
import type { Listener } from "./listener.js";
import { areCurrent } from "./migrations.js";
import { inMs, messageJson, readMessage, readStored, storable, storedJson } from "./outbox-rows.js";
import { COUNTS, listQuery } from "./outbox-queries.js";
import { queryOf } from "./transaction.js";

/** Evaluated once for a statement, so that an index can find what is before it. */
const NOW = "(SELECT clock_timestamp())";
const after = (parameter: string) => `clock_timestamp() + ${parameter}::float8 * interval '1 ms'`;
/** $1 target, $2 priority, $3 lease, $4 ms. */
const TAKE = `
  WITH next AS MATERIALIZED (
    SELECT number FROM lettershop.messages
    WHERE state = 'queued' AND target = $1 AND priority = $2 AND send_at <= ${NOW}
      AND (expires_at IS NULL OR expires_at > ${NOW})
    ORDER BY send_at, number LIMIT 1 FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE lettershop.messages SET state = 'sending', attempts = attempts + 1, changed_at = clock_timestamp(),
      lease = $3, alive_until = ${after("$4")}
    FROM next WHERE messages.number = next.number RETURNING messages.*
  )
  SELECT ${storedJson("taken", "contents")} FROM taken JOIN lettershop.contents ON message = number`;

/** $1 target, $2 lease, $3 ms. */
const TAKE_ABANDONED = `
  WITH next AS MATERIALIZED (
    SELECT number FROM lettershop.messages
    WHERE state = 'sending' AND target = $1 AND alive_until <= ${NOW}
    ORDER BY alive_until, number LIMIT 1 FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE lettershop.messages SET lease = $2, alive_until = ${after("$3")}
    FROM next WHERE messages.number = next.number RETURNING messages.*
  )
  SELECT ${storedJson("taken", "contents")} FROM taken JOIN lettershop.contents ON message = number`;

/** $1 id, $2 target, $3 states, $4 lease, $5 ms. Returns the message as it was before. */
const TAKE_OVER = `
  WITH earlier AS MATERIALIZED (
    SELECT * FROM lettershop.messages
    WHERE id = $1 AND target = $2 AND has_contents
      AND (state = ANY (string_to_array($3, ',')) OR (state = 'sending' AND alive_until <= clock_timestamp()))
    FOR UPDATE
  ), taken AS (
    UPDATE lettershop.messages SET state = 'sending', attempts = messages.attempts + 1,
      changed_at = clock_timestamp(), lease = $4, alive_until = ${after("$5")}
    FROM earlier WHERE messages.number = earlier.number RETURNING messages.number
  )
  SELECT ${storedJson("earlier", "contents")}
  FROM earlier JOIN taken USING (number) JOIN lettershop.contents ON message = earlier.number`;

/**
 * $1 leases as JSON, $2 ms. A message that another transaction has locked is not waited for, since the other leases would
 * expire meanwhile; it is extended the next time.
 */
const KEEP_ALIVE = `
  WITH held AS MATERIALIZED (
    SELECT number, lease FROM lettershop.messages
    WHERE state = 'sending' AND lease = ANY (ARRAY(SELECT json_array_elements_text(($1::text)::json)))
  ), free AS MATERIALIZED (
    SELECT messages.number FROM lettershop.messages JOIN held USING (number, lease) FOR UPDATE OF messages SKIP LOCKED
  ), extended AS (
    UPDATE lettershop.messages SET alive_until = ${after("$2")} FROM free WHERE messages.number = free.number
  )
  SELECT lease FROM held`;

/** $1 id, $2 states, $3 lease, $4 whether it is direct. */
const AS_EXPECTED = `id = $1 AND state = ANY (string_to_array($2, ',')) AND ($3::text IS NULL OR lease = $3)
    AND ($4::boolean IS NULL OR direct = $4)`;

/** $5 state, $6 reason, $7 and $8 what was sent, $9 ms, $10 ignore expiry, $11 uncounted, $12 drop contents. */
const CHANGE = `
  WITH changed AS (
    UPDATE lettershop.messages SET
      state = $5, changed_at = clock_timestamp(), reason = $6, lease = NULL, alive_until = NULL, direct = false,
      sent_id = coalesce($7, sent_id), sent_message_id = coalesce($8, sent_message_id),
      send_at = coalesce(${after("$9")}, send_at),
      expires_at = CASE WHEN $10::boolean AND expires_at <= clock_timestamp() THEN NULL ELSE expires_at END,
      attempts = attempts - CASE WHEN $11::boolean THEN 1 ELSE 0 END,
      key_text = CASE WHEN $12::boolean THEN NULL ELSE key_text END,
      has_contents = has_contents AND NOT $12::boolean
    WHERE ${AS_EXPECTED} RETURNING number
  ), dropped AS (
    DELETE FROM lettershop.contents USING changed WHERE $12::boolean AND message = changed.number
  )
  SELECT number::text FROM changed`;

const REMOVE = `
  WITH removed AS (DELETE FROM lettershop.messages WHERE ${AS_EXPECTED} RETURNING number),
    dropped AS (DELETE FROM lettershop.contents USING removed WHERE message = removed.number)
  SELECT number::text FROM removed`;

const EXPIRE = `
  WITH over AS MATERIALIZED (
    SELECT number FROM lettershop.messages WHERE state = 'queued' AND target = $1 AND expires_at <= ${NOW}
    ORDER BY expires_at LIMIT 200 FOR UPDATE SKIP LOCKED
  )
  UPDATE lettershop.messages SET state = 'expired', changed_at = clock_timestamp(), reason = NULL
  FROM over WHERE messages.number = over.number RETURNING ${messageJson("messages")}`;

const find = (condition: string) => `
  SELECT ${storedJson("messages", "contents")}
  FROM lettershop.messages LEFT JOIN lettershop.contents ON message = number WHERE target = $1 AND ${condition} = $2`;
const GET = find("id");
const BY_KEY = find("key_hash");

const NEXT_DUE = `
  SELECT greatest(0, ${inMs("send_at")})::text FROM lettershop.messages
  WHERE state = 'queued' AND target = $1 AND priority = $2 ORDER BY send_at LIMIT 1`;

/** Of an index for each of the conditions. */
const firstTarget = (condition: string) => {
  const firsts = ["= 'queued'", "= 'sending'", "NOT IN ('queued', 'sending')"].map(
    (states) => `(SELECT min(target) FROM lettershop.messages WHERE state ${states} AND ${condition})`,
  );
  return `least(${firsts.join(", ")})`;
};

/** Goes from one target to the next in indexes: reading all messages takes long. */
const TARGETS = `
  WITH RECURSIVE each AS (
    SELECT ${firstTarget("true")} AS target
    UNION ALL
    SELECT ${firstTarget("target > each.target")} FROM each WHERE target IS NOT NULL
  )
  SELECT target FROM each WHERE target IS NOT NULL ORDER BY target COLLATE "C"`;

/** An array, because with a join, all messages may be read. */
const OLD = "ARRAY(SELECT number FROM old)";

/**
 * $1 target, $2 states, $3 ms. Each state has its own scan of an index: one scan for all would read all messages to find
 * that none is old.
 */
const old = (hasContents: readonly boolean[]) => `
  WITH old AS MATERIALIZED (
    SELECT number
    FROM unnest(string_to_array($2, ',')) AS each_state, unnest(ARRAY[${hasContents.join()}]) AS each_content, LATERAL (
      SELECT number FROM lettershop.messages
      WHERE target = $1 AND state = each_state AND state NOT IN ('queued', 'sending') AND has_contents = each_content
        AND changed_at < ${NOW} - $3::float8 * interval '1 ms'
      ORDER BY changed_at LIMIT 200 FOR UPDATE SKIP LOCKED
    ) AS each
  ), dropped AS (
    DELETE FROM lettershop.contents WHERE message = ANY (${OLD})
  )`;

const DROP_CONTENTS = `
  ${old([true])}
  UPDATE lettershop.messages SET key_text = NULL, has_contents = false
  WHERE number = ANY (${OLD}) RETURNING id`;

const DROP_MESSAGES = `
  ${old([true, false])}
  DELETE FROM lettershop.messages WHERE number = ANY (${OLD}) RETURNING id`;

const SETTLED = ["accepted", "expired", "discarded"];
const UNDECIDED = ["parked", "rejected"];

/** An outbox in a Postgres database. Each method is one statement, and the database's clock decides. */
export class PostgresOutbox implements OutboxStore {
  readonly #adding: Adding;

  constructor(
    private readonly database: Database,
    private readonly listener: Pick<Listener, "listen">,
  ) {
    this.#adding = new Adding(database);
  }

  async add(message: NewMessage): Promise<AddedMessage> {
    const start = performance.now();
    const added = await this.#adding.add(message);
    const { lease } = message;
    // Its time began before the wait for another message with the key.
    if (lease !== undefined && added.added && performance.now() - start > lease.forMs / 4)
      await this.keepAlive([lease.id], lease.forMs);
    return added;
  }

  async addWithin(transaction: unknown, message: NewMessage): Promise<AddedMessage> {
    const query = queryOf(transaction);
    const within: Query = (sql, values) =>
      query(this.database.inSchema(sql), values).catch((error: unknown) => {
        throw storeErrorOf(error, this.database.name);
      });
    await this.database.readyWithin(() => areCurrent(within, this.database.schema));
    return addAlone(message, within, "");
  }

  watch(target: string, queued: (priority: Priority) => void): () => void {
    return this.listener.listen((payload) => {
      for (const priority of ["high", "normal"] as const)
        if (payload === "" || payload === `${priority} ${target}`) queued(priority);
    });
  }

  take({ target, priority, lease }: TakeOptions & { readonly priority: Priority }) {
    return this.#take(TAKE, [target, priority, lease.id, lease.forMs]);
  }

  takeAbandoned({ target, lease }: TakeOptions) {
    return this.#take(TAKE_ABANDONED, [target, lease.id, lease.forMs]);
  }

  takeOver(id: string, { target, lease, states }: TakeOptions & { readonly states: readonly OutboxState[] }) {
    return this.#take(TAKE_OVER, [id, target, states.join(), lease.id, lease.forMs]);
  }

  async #take(sql: string, values: readonly SqlValue[]): Promise<TakenMessage | undefined> {
    const [taken] = await this.database.query(sql, values);
    if (taken === undefined) return undefined;
    const { message, expiresInMs } = readStored(taken);
    const { email } = message;
    if (!email) throw new Error("A waiting message has no contents.");
    return { ...message, email, ...(expiresInMs !== undefined && { expiresInMs }) };
  }

  keepAlive(leases: readonly string[], forMs: number): Promise<readonly string[]> {
    return this.database.query(KEEP_ALIVE, [JSON.stringify(leases), forMs]);
  }

  async change(id: string, expected: ExpectedMessage, change: OutboxChange): Promise<boolean> {
    const { state, sent, reason, dueInMs, ignoreExpiry, uncounted, dropContents } = change;
    const changed = await this.database.query(CHANGE, [
      ...valuesOf(id, expected),
      state,
      reason === undefined ? null : storable(reason),
      sent ? storable(sent.id) : null,
      sent ? storable(sent.messageId) : null,
      dueInMs ?? null,
      ignoreExpiry ?? false,
      uncounted ?? false,
      dropContents ?? false,
    ]);
    return changed.length > 0;
  }

  async remove(id: string, expected: ExpectedMessage): Promise<boolean> {
    const removed = await this.database.query(REMOVE, valuesOf(id, expected));
    return removed.length > 0;
  }

  async expire(target: string): Promise<readonly OutboxMessage[]> {
    const expired = await this.database.query(EXPIRE, [target]);
    return expired.map((json) => readMessage(json).message);
  }

  get(target: string, id: string): Promise<StoredMessage | undefined> {
    return this.#find(GET, target, id);
  }

  byKey(target: string, hash: string): Promise<StoredMessage | undefined> {
    return this.#find(BY_KEY, target, hash);
  }

  async #find(sql: string, target: string, value: string): Promise<StoredMessage | undefined> {
    const [found] = await this.database.query(sql, [target, value]);
    return found === undefined ? undefined : readStored(found).message;
  }

  async list(target: string, filter: OutboxFilter): Promise<readonly OutboxMessage[]> {
    const { sql, values } = listQuery(target, filter);
    const listed = await this.database.query(sql, values);
    return listed.map((json) => readMessage(json).message);
  }

  async nextDue(target: string, priority: Priority): Promise<number | undefined> {
    const [due] = await this.database.query(NEXT_DUE, [target, priority]);
    return due === undefined ? undefined : Number(due);
  }

  async counts(target: string): Promise<OutboxCounts> {
    const [counts = ""] = await this.database.query(COUNTS, [target]);
    return JSON.parse(counts);
  }

  targets(): Promise<readonly string[]> {
    return this.database.query(TARGETS);
  }

  async clean({ target, contentsMs, undecidedMs, messagesMs }: CleanOptions): Promise<void> {
    const deleteAll = async (sql: string, states: readonly string[], ms: number) => {
      while ((await this.database.query(sql, [target, states.join(), ms])).length > 0);
    };
    await deleteAll(DROP_CONTENTS, SETTLED, contentsMs);
    await deleteAll(DROP_CONTENTS, UNDECIDED, undecidedMs);
    await deleteAll(DROP_MESSAGES, [...SETTLED, ...UNDECIDED], messagesMs);
  }
}

/** In the order of `AS_EXPECTED`. */
function valuesOf(id: string, { states, lease, direct }: ExpectedMessage): SqlValue[] {
  return [id, states.join(), lease ?? null, direct ?? null];
}
