import { ConfigurationError } from "../errors.js";
import { DEFAULT_SCHEMA, inSchema, type PostgresClient, type Query } from "./database.js";
import { isForbidden, isMissingTable } from "./errors.js";

/** A step of the tables' history; the version of the tables is the number of its last one. */
export interface Script {
  /** The oldest version of the statements that still work on the tables after this script. */
  readonly oldest: number;
  readonly sql: string;
}

/**
 * The scripts that create and change the tables. Each has run somewhere, so it never changes; a new one is added to the
 * end. While servers are updated, the previous version works on the tables of the new one: a script adds tables, indexes
 * and columns with a default, and removes only what the previous version no longer used; then `oldest` is that version.
 * They run within a PL/pgSQL block that is quoted with `$migration$`.
 */
const SCRIPTS: readonly Script[] = [
  {
    oldest: 1,
    sql: `
  -- Each message changes its state a few times and then stays for a month: by default, vacuum would wait for a fifth of all.
  CREATE TABLE lettershop.messages (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    target text NOT NULL,
    state text COLLATE "C" NOT NULL,
    key_hash text,
    key_contents text,
    key_text text,
    template text,
    priority text COLLATE "C" NOT NULL,
    on_unknown text NOT NULL,
    queued_at timestamptz NOT NULL,
    send_at timestamptz NOT NULL,
    expires_at timestamptz,
    attempts integer NOT NULL,
    changed_at timestamptz NOT NULL,
    lease text,
    alive_until timestamptz,
    sent_id text,
    sent_message_id text,
    reason text,
    has_contents boolean NOT NULL DEFAULT true,
    direct boolean NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
  CREATE UNIQUE INDEX messages_by_key ON lettershop.messages (target, key_hash) WHERE key_hash IS NOT NULL;
  -- Without those that wait: while its statistics are from before a burst, the database would find them with this index
  -- and sort them, for each message that is taken.
  CREATE INDEX messages_by_state ON lettershop.messages (target, state, has_contents, changed_at)
    WHERE state NOT IN ('queued', 'sending');
  CREATE INDEX messages_due ON lettershop.messages (target, priority, send_at, number) WHERE state = 'queued';
  CREATE INDEX messages_expiring ON lettershop.messages (target, expires_at)
    WHERE state = 'queued' AND expires_at IS NOT NULL;
  CREATE INDEX messages_held ON lettershop.messages (target, alive_until) WHERE state = 'sending';
  CREATE INDEX messages_by_lease ON lettershop.messages (lease) WHERE lease IS NOT NULL;
  CREATE INDEX messages_by_sent_id ON lettershop.messages (sent_id) WHERE sent_id IS NOT NULL;
  CREATE INDEX messages_by_message_id ON lettershop.messages (sent_message_id) WHERE sent_message_id IS NOT NULL;

  -- Contents are separate, so that looking for messages does not read them. There is no foreign key: its check reads where
  -- others write, which makes serializable transactions fail.
  CREATE TABLE lettershop.contents (
    message bigint PRIMARY KEY,
    recipients text[] NOT NULL,
    email text NOT NULL
  );
  CREATE INDEX contents_by_recipient ON lettershop.contents USING gin (recipients);

  -- Workers hear of a message when its transaction is committed, if it is the first one that waits: a commit with a
  -- notification waits for all others. Other isolation levels don't show which one is the first.
  CREATE FUNCTION lettershop.ring() RETURNS trigger LANGUAGE plpgsql AS $ring$
  BEGIN
    IF NEW.send_at <= clock_timestamp() AND (
      current_setting('transaction_isolation') <> 'read committed'
      OR NEW.number = (
        SELECT number FROM lettershop.messages
        WHERE state = 'queued' AND target = NEW.target AND priority = NEW.priority AND send_at <= clock_timestamp()
        ORDER BY send_at, number LIMIT 1
      )
    ) THEN
      PERFORM pg_notify(
        'lettershop_' || left(encode(sha256(convert_to(TG_TABLE_SCHEMA, 'UTF8')), 'hex'), 32),
        NEW.priority || ' ' || NEW.target
      );
    END IF;
    RETURN NULL;
  END
  $ring$;
  CREATE CONSTRAINT TRIGGER ring AFTER INSERT OR UPDATE OF state, send_at ON lettershop.messages
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.state = 'queued') EXECUTE FUNCTION lettershop.ring();

  -- Times are ms by the account's own clock (see pace.ts).
  CREATE TABLE lettershop.pace_accounts (
    account text PRIMARY KEY,
    latest double precision NOT NULL DEFAULT 0,
    clock_offset double precision NOT NULL DEFAULT 0,
    held_until double precision NOT NULL DEFAULT 0,
    limit_shown double precision,
    highs_in_a_row integer NOT NULL DEFAULT 0,
    last_place bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50);
  CREATE TABLE lettershop.pace_slots (
    account text NOT NULL,
    id text NOT NULL,
    owner text NOT NULL,
    free_at double precision NOT NULL,
    open boolean NOT NULL,
    PRIMARY KEY (account, id)
  );
  CREATE INDEX pace_slots_by_time ON lettershop.pace_slots (account, open, free_at);
  CREATE TABLE lettershop.pace_tickets (
    account text NOT NULL,
    id text NOT NULL,
    owner text NOT NULL,
    priority text COLLATE "C" NOT NULL,
    first boolean NOT NULL,
    place bigint NOT NULL,
    PRIMARY KEY (account, id)
  );
  CREATE INDEX pace_tickets_by_owner ON lettershop.pace_tickets (account, owner);
  CREATE TABLE lettershop.pace_owners (
    account text NOT NULL,
    owner text NOT NULL,
    alive_until double precision NOT NULL,
    PRIMARY KEY (account, owner)
  ) WITH (fillfactor = 50);
  CREATE TABLE lettershop.pace_plans (
    account text NOT NULL,
    period text NOT NULL,
    sent bigint NOT NULL,
    plan_limit bigint NOT NULL,
    PRIMARY KEY (account, period)
  );

  CREATE TABLE lettershop.requests (
    id text PRIMARY KEY,
    fingerprint text NOT NULL,
    likeness text NOT NULL,
    started_at timestamptz NOT NULL,
    alive_until timestamptz NOT NULL,
    undecided boolean NOT NULL DEFAULT false,
    requests integer NOT NULL DEFAULT 1
  );
  CREATE UNIQUE INDEX requests_open ON lettershop.requests (fingerprint) WHERE NOT undecided;
  CREATE INDEX requests_alike ON lettershop.requests (likeness);
  CREATE INDEX requests_undecided ON lettershop.requests (alive_until) WHERE undecided;
  CREATE TABLE lettershop.mails (
    message_id text PRIMARY KEY,
    log_id text NOT NULL,
    parcel text NOT NULL,
    claimed_at timestamptz NOT NULL
  );
  CREATE INDEX mails_by_parcel ON lettershop.mails (parcel);
  CREATE INDEX mails_claimed_at ON lettershop.mails (claimed_at);

  -- Removed addresses stay, marked, so that the same bounce does not add them again.
  CREATE TABLE lettershop.suppressions (
    email text PRIMARY KEY,
    reason text NOT NULL,
    since timestamptz NOT NULL,
    event text,
    removed boolean NOT NULL DEFAULT false
  );
  `,
  },
];

/**
 * One statement that creates the tables, or brings those of any earlier version up to date. It is one change, can run
 * any number of times, and waits while another server runs it.
 */
export function migrationScript(schema = DEFAULT_SCHEMA, scripts = SCRIPTS): string {
  const steps = scripts.map(
    ({ oldest, sql }, index) => `
  IF NOT EXISTS (SELECT FROM lettershop.migrations WHERE version = ${index + 1}) THEN
${sql.replace(/^\n+/, "").trimEnd()}
  INSERT INTO lettershop.migrations (version, oldest) VALUES (${index + 1}, ${oldest});
  END IF;`,
  );
  const text = `DO $migration$
BEGIN
  PERFORM pg_advisory_xact_lock(${LOCK});
  -- A user who may not create schemas can use one that exists.
  IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = SCHEMA_NAME) THEN
    CREATE SCHEMA lettershop;
  END IF;
  CREATE TABLE IF NOT EXISTS lettershop.migrations (
    version integer PRIMARY KEY,
    oldest integer NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
${steps.join("\n")}
END
$migration$;
`;
  return inSchema(text, schema).replace("SCHEMA_NAME", () => literal(schema));
}

/** A number that nothing else in the database is likely to lock: the bytes of "mailshop". */
const LOCK = "7881696737388687216";

/** How long a statement waits for a table that is in use: statements of servers wait behind it. */
const LOCK_MS = 10_000;

/** The version of the tables before and after a migration; 0 if there are none. */
export interface Migration {
  readonly from: number;
  readonly to: number;
}

/**
 * Creates the tables, or brings them up to date; only reads if they are. Servers that start at once wait for each other.
 *
 * @param store How errors refer to it.
 * @throws {ConfigurationError} The tables are of a newer version that this one can't use, or the user may not create
 * tables.
 */
export async function migrate(
  client: PostgresClient,
  schema: string,
  store: string,
  scripts = SCRIPTS,
): Promise<Migration> {
  const from = await versionOf(client, schema);
  refuseNewer(from, scripts, store);
  if (from.version >= scripts.length) return { from: from.version, to: from.version };
  try {
    await client.query(
      `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${LOCK_MS}; SET LOCAL statement_timeout = 0`,
    );
    await client.query(migrationScript(schema, scripts));
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    if (isForbidden(error))
      throw new ConfigurationError(`The user of the mailer's store ${store} may not create its tables.`, {
        cause: error,
        hint: "Run `templates outbox migrate` as a user who may create a schema, and grant this user access to the schema and its tables.",
      });
    throw error;
  }
  return { from: from.version, to: scripts.length };
}

/**
 * Checks tables that someone else creates.
 *
 * @param store How errors refer to it.
 * @throws {ConfigurationError} They are missing, or of a version that can't be used.
 */
export async function requireTables(
  client: PostgresClient,
  schema: string,
  store: string,
  scripts = SCRIPTS,
): Promise<void> {
  const found = await versionOf(client, schema);
  refuseNewer(found, scripts, store);
  if (found.version >= scripts.length) return;
  const what =
    found.version === 0
      ? "has no tables"
      : `has tables of version ${found.version}, and this lettershop needs ${scripts.length}`;
  const where = schema === DEFAULT_SCHEMA ? "" : ` --schema "${schema}"`;
  throw new ConfigurationError(`The mailer's store ${store} ${what}.`, {
    hint: `Run: templates outbox migrate${where}`,
  });
}

interface TablesVersion {
  readonly version: number;
  readonly oldest: number;
}

async function versionOf(client: PostgresClient, schema: string): Promise<TablesVersion> {
  try {
    const { rows } = await client.query({
      text: inSchema("SELECT max(version)::text, max(oldest)::text FROM lettershop.migrations", schema),
      values: [],
      rowMode: "array",
      types: { getTypeParser: () => (text) => text },
    });
    const [row] = rows;
    const [version, oldest] = Array.isArray(row) ? row : [];
    return { version: Number(version ?? 0), oldest: Number(oldest ?? 0) };
  } catch (error) {
    if (isMissingTable(error)) return { version: 0, oldest: 0 };
    throw error;
  }
}

/** Whether the tables are those of this version. Works in a transaction of the application. */
export async function areCurrent(query: Query, schema: string): Promise<boolean> {
  const [exists] = await query(
    "SELECT count(*)::text FROM pg_catalog.pg_tables WHERE schemaname = $1::text AND tablename = 'migrations'",
    [schema],
  );
  if (exists !== "1") return false;
  const [version] = await query("SELECT coalesce(max(version), 0)::text FROM lettershop.migrations");
  return Number(version) === SCRIPTS.length;
}

function refuseNewer({ version, oldest }: TablesVersion, scripts: readonly Script[], store: string): void {
  if (oldest <= scripts.length) return;
  throw new ConfigurationError(
    `The mailer's store ${store} has tables of version ${version}, and this lettershop knows ${scripts.length}.`,
    { hint: "Update lettershop here: a newer version has changed the tables." },
  );
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
