import type { SqlValue } from "../../sqlite/driver.js";
import { type Row, stateOf } from "./rows.js";
import type { OutboxCounts, OutboxState } from "./store.js";

const PROBLEMS = 10;

type Select = (sql: string, ...values: SqlValue[]) => Row[];

export function readCounts(select: Select, target: string, now: number): OutboxCounts {
  const byState = select("SELECT state, count(*) AS n FROM outbox_messages WHERE target = ? GROUP BY state", target);
  const countOf = (state: OutboxState) => Number(byState.find((row) => row["state"] === state)?.["n"] ?? 0);
  const due = select(
    `SELECT priority, count(*) AS n FROM outbox_messages
      WHERE state = 'queued' AND target = ? AND send_at <= ? GROUP BY priority`,
    target,
    now,
  );
  const [oldest] = select(
    "SELECT min(send_at) AS at FROM outbox_messages WHERE state IN ('queued', 'sending') AND target = ? AND send_at <= ?",
    target,
    now,
  );
  const dueOf = (priority: string) => Number(due.find((row) => row["priority"] === priority)?.["n"] ?? 0);
  const elsewhere = select("SELECT count(*) AS n FROM outbox_messages WHERE state = 'queued' AND target <> ?", target);
  const problems = select(
    `SELECT state, reason, count(*) AS n, max(changed_at) AS last FROM outbox_messages
      WHERE target = ? AND state IN ('queued', 'parked', 'rejected') AND reason IS NOT NULL
      GROUP BY state, reason ORDER BY n DESC, last DESC LIMIT ${PROBLEMS}`,
    target,
  );
  return {
    states: {
      queued: countOf("queued"),
      sending: countOf("sending"),
      accepted: countOf("accepted"),
      rejected: countOf("rejected"),
      parked: countOf("parked"),
      expired: countOf("expired"),
      discarded: countOf("discarded"),
    },
    due: { high: dueOf("high"), normal: dueOf("normal") },
    ...(typeof oldest?.["at"] === "number" ? { oldestDue: oldest["at"] } : {}),
    elsewhere: Number(elsewhere[0]?.["n"] ?? 0),
    problems: problems.map((row) => ({
      state: stateOf(row),
      reason: String(row["reason"]),
      messages: Number(row["n"]),
      lastAt: Number(row["last"]),
    })),
  };
}
