import type { Suppression, SuppressionStore } from "../send/store/store.js";
import type { Database } from "./database.js";

const SUPPRESSION = `json_strip_nulls(json_build_object(
  'email', email, 'reason', reason, 'since', (extract(epoch FROM since) * 1000)::float8, 'event', event
))::text`;

const FIND = `
  SELECT ${SUPPRESSION} FROM lettershop.suppressions
  WHERE email = ANY (ARRAY(SELECT json_array_elements_text($1::json))) AND NOT removed`;

const ADD = `
  INSERT INTO lettershop.suppressions (email, reason, since, event) VALUES ($1, $2, to_timestamp($3::float8 / 1000), $4)
  ON CONFLICT (email) DO NOTHING RETURNING email`;

/** Locks the entry first, so that one of several calls finds it removed. */
const REPLACE = `
  WITH earlier AS MATERIALIZED (
    SELECT * FROM lettershop.suppressions WHERE email = $1 FOR UPDATE
  ), later AS (
    SELECT $2::text AS reason, to_timestamp($3::float8 / 1000) AS since, $4::text AS event
  )
  UPDATE lettershop.suppressions SET reason = later.reason, since = later.since, event = later.event, removed = false
  FROM earlier, later
  WHERE suppressions.email = earlier.email AND (
    later.event IS NULL OR later.since > earlier.since
    OR (later.since = earlier.since AND later.event IS DISTINCT FROM earlier.event)
  )
  RETURNING earlier.removed::text`;

const REMOVE = "UPDATE lettershop.suppressions SET removed = true WHERE email = $1 AND NOT removed RETURNING email";

const LIST = `
  SELECT ${SUPPRESSION} FROM lettershop.suppressions WHERE NOT removed ORDER BY since DESC, email COLLATE "C"`;

/** Suppressions in the database that all machines share. */
export function postgresSuppressions(database: Database): SuppressionStore {
  return {
    async find(emails) {
      const lowerCase = emails.map((email) => email.toLowerCase());
      const found = await database.query(FIND, [JSON.stringify(lowerCase)]);
      return found.map(toSuppression);
    },
    async add({ email, reason, since, event = null }) {
      const values = [email.toLowerCase(), reason, since, event];
      const added = await database.query(ADD, values);
      if (added.length > 0) return true;
      const [wasRemoved] = await database.query(REPLACE, values);
      return wasRemoved === "true";
    },
    async remove(email) {
      const removed = await database.query(REMOVE, [email.toLowerCase()]);
      return removed.length > 0;
    },
    async list() {
      const listed = await database.query(LIST);
      return listed.map(toSuppression);
    },
  };
}

function toSuppression(text: string): Suppression {
  return JSON.parse(text);
}
