import type { SharedDatabase } from "../../sqlite/lock.js";
import { transaction } from "../../sqlite/transaction.js";
import type { Ledger, LedgerEntry } from "./ledger.js";
import { Queries } from "./sqlite-file.js";
import { MachineTime } from "./sqlite-time.js";
import type { Clock } from "../clock.js";
import type { Sent } from "../parcel.js";

export const LEDGER_SCHEMA = `
  CREATE TABLE IF NOT EXISTS ledger_requests (
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    likeness TEXT NOT NULL,
    started_at REAL NOT NULL,
    alive_until REAL NOT NULL,
    undecided INTEGER NOT NULL,
    requests INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS ledger_requests_open ON ledger_requests (fingerprint) WHERE undecided = 0;
  CREATE INDEX IF NOT EXISTS ledger_requests_alike ON ledger_requests (likeness);
  CREATE INDEX IF NOT EXISTS ledger_requests_undecided ON ledger_requests (alive_until) WHERE undecided = 1;

  CREATE TABLE IF NOT EXISTS ledger_mails (
    message_id TEXT PRIMARY KEY,
    log_id TEXT NOT NULL,
    parcel TEXT NOT NULL,
    claimed_at REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS ledger_mails_parcel ON ledger_mails (parcel);
  CREATE INDEX IF NOT EXISTS ledger_mails_claimed_at ON ledger_mails (claimed_at);
`;

/** How long messages and undecided requests are remembered: longer than a machine is likely to be down. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1000;

export function sqliteLedger(database: SharedDatabase, clock: Clock): Ledger {
  const time = new MachineTime(new Queries(database), clock);
  const get = (sql: string) => database.prepare(sql);
  const twin = get("SELECT * FROM ledger_requests WHERE fingerprint = ? AND id <> ? AND undecided = 0 LIMIT 1");
  const enter = get(`
    INSERT INTO ledger_requests (id, fingerprint, likeness, started_at, alive_until, undecided, requests)
    VALUES (?, ?, ?, ?, ?, 0, 1)
    ON CONFLICT (id) DO UPDATE SET
      fingerprint = excluded.fingerprint, likeness = excluded.likeness, alive_until = excluded.alive_until,
      undecided = 0, requests = requests + 1
  `);
  const extend = get("UPDATE ledger_requests SET alive_until = ? WHERE id = ? AND undecided = 0");
  const adopt = get("UPDATE ledger_requests SET alive_until = ? WHERE id = ? AND undecided = 0 AND alive_until <= ?");
  const giveUp = get("UPDATE ledger_requests SET undecided = 1, alive_until = ? WHERE id = ?");
  const answer = get("UPDATE ledger_requests SET undecided = 1, alive_until = ?, requests = requests - 1 WHERE id = ?");
  const takeBack = get("UPDATE ledger_requests SET requests = requests - 1 WHERE id = ?");
  const removeEnded = get("DELETE FROM ledger_requests WHERE id = ? AND requests = 0");
  const keep = get("INSERT OR IGNORE INTO ledger_mails (message_id, log_id, parcel, claimed_at) VALUES (?, ?, ?, ?)");
  const request = get("SELECT * FROM ledger_requests WHERE id = ?");
  const mailOf = get("SELECT * FROM ledger_mails WHERE parcel = ? LIMIT 1");
  const mail = get("SELECT * FROM ledger_mails WHERE message_id = ?");
  const rivals = get(`
    SELECT sum(requests - (undecided = 0 AND EXISTS (SELECT 1 FROM ledger_mails WHERE parcel = ledger_requests.id))) AS n
    FROM ledger_requests WHERE likeness = ? AND id <> ? AND alive_until >= ?
  `);
  const forgetMails = get("DELETE FROM ledger_mails WHERE claimed_at < ?");
  const forgetUndecided = get("DELETE FROM ledger_requests WHERE undecided = 1 AND alive_until < ?");

  const inTransaction = <Result>(change: (now: number) => Result) =>
    database.lock.write(() => transaction(database, () => change(time.now())));

  return {
    begin: ({ id, fingerprint, likeness }, aliveForMs) =>
      inTransaction((now) => {
        const other = twin.get(fingerprint, id);
        if (other !== undefined) return toEntry(other, now);
        enter.run(id, fingerprint, likeness, now, now + aliveForMs);
        return undefined;
      }),
    async keepAlive(id, aliveForMs) {
      await inTransaction((now) => extend.run(now + aliveForMs, id));
    },
    adopt: (id, aliveForMs) => inTransaction((now) => Number(adopt.run(now + aliveForMs, id, now).changes) > 0),
    end: (id, how) =>
      inTransaction((now) => {
        if (how === "undecided") giveUp.run(now, id);
        else if (how === "not sent") takeBack.run(id);
        else {
          answer.run(now, id);
          keep.run(how.messageId, how.id, id, now);
        }
        removeEnded.run(id);
        forgetMails.run(now - REMEMBERED_MS);
        forgetUndecided.run(now - REMEMBERED_MS);
      }),
    find: (id) =>
      database.lock.read(() => {
        const sent = mailOf.get(id);
        if (sent !== undefined) return { state: "accepted", sent: toSent(sent) };
        const row = request.get(id);
        return row && { state: row["undecided"] === 1 ? "undecided" : "open", entry: toEntry(row, time.peek()) };
      }),
    claim: ({ id, likeness, candidates, rivalsWithinMs }) =>
      inTransaction((now) => {
        const owners = candidates.map(({ messageId }) => mail.get(messageId)?.["parcel"]);
        const own = candidates.find((_, index) => owners[index] === id);
        if (own !== undefined) return own;
        const free = candidates.filter((_, index) => owners[index] === undefined);
        const [first] = free;
        if (first === undefined) return "none";
        if (free.length <= Number(rivals.get(likeness, id, now - rivalsWithinMs)?.["n"] ?? 0)) return "ambiguous";
        keep.run(first.messageId, first.id, id, now);
        return first;
      }),
  };
}

type Row = Record<string, unknown>;

function toEntry(row: Row, now: number): LedgerEntry {
  return {
    id: String(row["id"]),
    fingerprint: String(row["fingerprint"]),
    likeness: String(row["likeness"]),
    ageMs: now - Number(row["started_at"]),
    aliveForMs: Number(row["alive_until"]) - now,
  };
}

function toSent(row: Row): Sent {
  return { outcome: "accepted", id: String(row["log_id"]), messageId: String(row["message_id"]) };
}
