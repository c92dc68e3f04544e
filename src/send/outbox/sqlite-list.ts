import type { SqlValue } from "../../sqlite/driver.js";
import type { OutboxFilter } from "./store.js";

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
  return {
    sql: `SELECT * FROM outbox_messages
      WHERE ${conditions.map(([condition]) => condition).join(" AND ")} ORDER BY number DESC LIMIT ?`,
    values: [...conditions.flatMap(([, ...values]) => values), limit],
  };
}
