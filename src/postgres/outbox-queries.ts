import { OUTBOX_STATES, type OutboxFilter } from "../send/store/outbox.js";
import type { SqlValue } from "./database.js";
import { messageJson } from "./outbox-rows.js";

const LIMIT = 100;

export function listQuery(
  target: string,
  filter: OutboxFilter,
): { readonly sql: string; readonly values: readonly SqlValue[] } {
  const { state, template, since, recipient, sentId, after, limit = LIMIT } = filter;
  const values: SqlValue[] = [target];
  const conditions = ["target = $1"];
  const add = (condition: (parameter: string) => string, value: SqlValue) => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  // States have different indexes, which only an OR combines.
  if (state !== undefined) {
    const states = [state].flat().map((each) => `state = $${values.push(each)}`);
    conditions.push(`(${["false", ...states].join(" OR ")})`);
  }
  if (template !== undefined) add((name) => `template = ${name}`, template);
  if (since !== undefined) add((ms) => `queued_at >= to_timestamp(${ms}::float8 / 1000)`, since);
  if (sentId !== undefined) add((id) => `(sent_id = ${id} OR sent_message_id = ${id})`, sentId);
  if (recipient !== undefined)
    add(
      (email) => `number IN (SELECT message FROM lettershop.contents WHERE recipients @> ARRAY[${email}::text])`,
      recipient.toLowerCase(),
    );
  if (after !== undefined) add((id) => `number < (SELECT number FROM lettershop.messages WHERE id = ${id})`, after);
  values.push(limit);
  return {
    sql: `SELECT ${messageJson("messages")} FROM lettershop.messages
      WHERE ${conditions.join(" AND ")} ORDER BY number DESC LIMIT $${values.length}::int`,
    values,
  };
}

const PROBLEMS = 10;
const DUE = "target = $1 AND send_at <= clock_timestamp()";
const dueOf = (priority: string) => `'${priority}', count(*) FILTER (WHERE priority = '${priority}')`;

/** The JSON of an `OutboxCounts`. $1 target. */
export const COUNTS = `
  WITH states AS (
    SELECT state, count(*) AS messages FROM lettershop.messages WHERE target = $1 GROUP BY state
  ), problems AS (
    SELECT state, reason, count(*) AS messages, max(changed_at) AS last FROM lettershop.messages
    WHERE target = $1 AND (state = 'queued' OR state IN ('parked', 'rejected')) AND reason IS NOT NULL
    GROUP BY state, reason ORDER BY messages DESC, last DESC LIMIT ${PROBLEMS}
  )
  SELECT json_strip_nulls(json_build_object(
    'states', json_build_object(${OUTBOX_STATES.map(
      (state) => `'${state}', coalesce((SELECT messages FROM states WHERE state = '${state}'), 0)`,
    ).join()}),
    'due', (
      SELECT json_build_object(${dueOf("high")}, ${dueOf("normal")}) FROM lettershop.messages
      WHERE state = 'queued' AND ${DUE}
    ),
    'oldestDueMs', (
      SELECT extract(epoch FROM clock_timestamp() - min(send_at)) * 1000 FROM lettershop.messages
      WHERE (state = 'queued' OR state = 'sending') AND ${DUE}
    ),
    'elsewhere', (SELECT count(*) FROM lettershop.messages WHERE state = 'queued' AND target <> $1),
    'problems', coalesce((
      SELECT json_agg(json_build_object('state', state, 'reason', reason, 'messages', messages,
        'lastAt', floor(extract(epoch FROM last) * 1000)) ORDER BY messages DESC, last DESC)
      FROM problems
    ), '[]')
  ))::text`;
