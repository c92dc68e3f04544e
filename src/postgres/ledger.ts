import type { Ledger, LedgerEntry, LedgerFinding } from "../send/store/ledger.js";
import type { Database } from "./database.js";

/** How long messages and undecided requests are remembered: longer than a machine is likely to be down. */
const REMEMBERED = "interval '30 days'";
/** How many requests end in a process for each time that it deletes old rows. */
const ENDS_PER_PRUNING = 100;

const ENTRY = `json_build_object(
  'id', id, 'fingerprint', fingerprint, 'likeness', likeness,
  'ageMs', extract(epoch FROM clock_timestamp() - started_at) * 1000,
  'aliveForMs', extract(epoch FROM alive_until - clock_timestamp()) * 1000
)`;

/** $1 id, $2 fingerprint, $3 likeness, $4 ms. Returns the twin, or 'begun', or nothing if another was quicker. */
const BEGIN = `
  WITH twin AS MATERIALIZED (
    SELECT * FROM lettershop.requests WHERE fingerprint = $2 AND id <> $1 AND NOT undecided
  ), reopened AS (
    UPDATE lettershop.requests
    SET fingerprint = $2, likeness = $3, alive_until = clock_timestamp() + $4::float8 * interval '1 ms',
      undecided = false, requests = requests + 1
    WHERE id = $1 AND NOT EXISTS (SELECT FROM twin)
    RETURNING id
  ), entered AS (
    INSERT INTO lettershop.requests (id, fingerprint, likeness, started_at, alive_until)
    SELECT $1, $2, $3, now, now + $4::float8 * interval '1 ms' FROM clock_timestamp() AS now
    WHERE NOT EXISTS (SELECT FROM twin) AND NOT EXISTS (SELECT FROM reopened)
    ON CONFLICT DO NOTHING
    RETURNING id
  )
  SELECT ${ENTRY}::text FROM twin
  UNION ALL SELECT 'begun' FROM reopened
  UNION ALL SELECT 'begun' FROM entered`;

const KEEP_ALIVE = `
  UPDATE lettershop.requests SET alive_until = clock_timestamp() + $2::float8 * interval '1 ms'
  WHERE id = $1 AND NOT undecided`;

const ADOPT = `${KEEP_ALIVE} AND alive_until <= clock_timestamp() RETURNING id`;

const GIVE_UP = "UPDATE lettershop.requests SET undecided = true, alive_until = clock_timestamp() WHERE id = $1";

/** $1 id. Locks the request first, so that both changes see the same count. */
const TAKE_BACK = `
  WITH request AS MATERIALIZED (
    SELECT id, requests FROM lettershop.requests WHERE id = $1 FOR UPDATE
  ), removed AS (
    DELETE FROM lettershop.requests USING request WHERE requests.id = request.id AND request.requests = 1
  )
  UPDATE lettershop.requests SET requests = requests.requests - 1
  FROM request WHERE requests.id = request.id AND request.requests > 1`;

/** $1 id, $2 Message-ID, $3 id of the log entry. Locks the request first, so that both changes see the same count. */
const ANSWER = `
  WITH request AS MATERIALIZED (
    SELECT id, requests FROM lettershop.requests WHERE id = $1 FOR UPDATE
  ), answered AS (
    DELETE FROM lettershop.requests USING request WHERE requests.id = request.id AND request.requests = 1
  ), left_over AS (
    UPDATE lettershop.requests
    SET undecided = true, alive_until = clock_timestamp(), requests = requests.requests - 1
    FROM request WHERE requests.id = request.id AND request.requests > 1
  )
  INSERT INTO lettershop.mails (parcel, message_id, log_id, claimed_at) VALUES ($1, $2, $3, clock_timestamp())
  ON CONFLICT (message_id) DO NOTHING`;

/** Passes over what another process is deleting. */
const PRUNE = `
  WITH mails AS MATERIALIZED (
    SELECT message_id FROM lettershop.mails WHERE claimed_at < now() - ${REMEMBERED}
    LIMIT ${10 * ENDS_PER_PRUNING} FOR UPDATE SKIP LOCKED
  ), requests AS MATERIALIZED (
    SELECT id FROM lettershop.requests WHERE undecided AND alive_until < now() - ${REMEMBERED}
    LIMIT ${10 * ENDS_PER_PRUNING} FOR UPDATE SKIP LOCKED
  ), pruned AS (
    DELETE FROM lettershop.mails WHERE message_id IN (SELECT message_id FROM mails)
  )
  DELETE FROM lettershop.requests WHERE id IN (SELECT id FROM requests)`;

const FIND = `
  SELECT finding::text FROM (SELECT coalesce(
    (SELECT json_build_object('state', 'accepted',
        'sent', json_build_object('outcome', 'accepted', 'id', log_id, 'messageId', message_id))
      FROM lettershop.mails WHERE parcel = $1 ORDER BY claimed_at LIMIT 1),
    (SELECT json_build_object('state', CASE WHEN undecided THEN 'undecided' ELSE 'open' END, 'entry', ${ENTRY})
      FROM lettershop.requests WHERE id = $1)
  ) AS finding) AS found WHERE finding IS NOT NULL`;

/** Claims for messages that look the same wait for each other. */
const LOCK_CLAIMS = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text";

/** $1 id, $2 likeness, $3 candidates' Message-IDs, $4 ms. */
const CLAIM_FACTS = `
  SELECT json_build_object(
    'owners', (
      SELECT coalesce(json_object_agg(message_id, parcel), '{}') FROM lettershop.mails
      WHERE message_id = ANY (ARRAY(SELECT json_array_elements_text($3::json)))
    ),
    'rivals', (
      SELECT coalesce(sum(requests - CASE WHEN undecided THEN 0 ELSE answered END), 0)
      FROM lettershop.requests AS rival, LATERAL (
        SELECT count(*) AS answered FROM (SELECT FROM lettershop.mails WHERE parcel = rival.id LIMIT 1) AS mail
      ) AS mail
      WHERE likeness = $2 AND id <> $1 AND alive_until >= clock_timestamp() - $4::float8 * interval '1 ms'
    )
  )::text`;

const CLAIM = `
  INSERT INTO lettershop.mails (parcel, message_id, log_id, claimed_at) VALUES ($1, $2, $3, clock_timestamp())
  ON CONFLICT (message_id) DO NOTHING RETURNING message_id`;

/** Requests in the database that all machines share. */
export function postgresLedger(database: Database): Ledger {
  let ends = 0;

  async function prune(): Promise<void> {
    ends += 1;
    // What fails here is pruned later, and the entry has ended.
    if (ends % ENDS_PER_PRUNING === 1) await database.query(PRUNE).catch(() => undefined);
  }

  return {
    async begin({ id, fingerprint, likeness }, aliveForMs) {
      for (;;) {
        const [answer] = await database.query(BEGIN, [id, fingerprint, likeness, aliveForMs]);
        if (answer === "begun") return undefined;
        if (answer !== undefined) return entryFrom(answer);
      }
    },
    async keepAlive(id, aliveForMs) {
      await database.query(KEEP_ALIVE, [id, aliveForMs]);
    },
    async adopt(id, aliveForMs) {
      const adopted = await database.query(ADOPT, [id, aliveForMs]);
      return adopted.length > 0;
    },
    async end(id, how) {
      if (how === "undecided") await database.query(GIVE_UP, [id]);
      else if (how === "not sent") await database.query(TAKE_BACK, [id]);
      else await database.query(ANSWER, [id, how.messageId, how.id]);
      await prune();
    },
    async find(id) {
      const [finding] = await database.query(FIND, [id]);
      return finding === undefined ? undefined : findingFrom(finding);
    },
    claim: ({ id, likeness, candidates, rivalsWithinMs }) =>
      database.transaction(async (query) => {
        await query(LOCK_CLAIMS, [likeness]);
        const ids = JSON.stringify(candidates.map(({ messageId }) => messageId));
        for (;;) {
          const [facts = ""] = await query(CLAIM_FACTS, [id, likeness, ids, rivalsWithinMs]);
          const { owners, rivals }: ClaimFacts = JSON.parse(facts);
          const ownerOf = new Map(Object.entries(owners));
          const own = candidates.find(({ messageId }) => ownerOf.get(messageId) === id);
          if (own !== undefined) return own;
          const free = candidates.filter(({ messageId }) => !ownerOf.has(messageId));
          const [first] = free;
          if (first === undefined) return "none";
          if (free.length <= rivals) return "ambiguous";
          const claimed = await query(CLAIM, [id, first.messageId, first.id]);
          // Otherwise, another parcel has just ended with it.
          if (claimed.length > 0) return first;
        }
      }),
  };
}

function entryFrom(json: string): LedgerEntry {
  return JSON.parse(json);
}

function findingFrom(json: string): LedgerFinding {
  return JSON.parse(json);
}

interface ClaimFacts {
  /** The parcels that candidates belong to, by Message-ID. */
  readonly owners: Readonly<Record<string, string>>;
  /** How many requests of other parcels may have sent one of the candidates. */
  readonly rivals: number;
}
