import type { Database } from "../../sqlite/driver.js";

export const PACE_SCHEMA = `
  CREATE TABLE IF NOT EXISTS pace_time (
    id INTEGER PRIMARY KEY CHECK (id = 1), time REAL NOT NULL, wall REAL NOT NULL, monotone REAL NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS pace_accounts (
    account TEXT PRIMARY KEY, held_until REAL NOT NULL, limit_shown INTEGER, highs_in_a_row INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS pace_slots (
    id TEXT PRIMARY KEY, account TEXT NOT NULL, owner TEXT NOT NULL, free_at REAL NOT NULL, open INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS pace_slots_by_time ON pace_slots (account, open, free_at);
  CREATE TABLE IF NOT EXISTS pace_tickets (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL, owner TEXT NOT NULL,
    priority TEXT NOT NULL, first INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS pace_tickets_by_place ON pace_tickets (account, priority, first, place);
  CREATE TABLE IF NOT EXISTS pace_owners (owner TEXT PRIMARY KEY, alive_until REAL NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS pace_plan (
    account TEXT NOT NULL, period TEXT NOT NULL, sent INTEGER NOT NULL, plan_limit INTEGER NOT NULL,
    PRIMARY KEY (account, period)
  ) STRICT, WITHOUT ROWID;
`;

export type PaceStatements = ReturnType<typeof preparePace>;

export function preparePace(database: Database) {
  return {
    read: database.prepare("SELECT held_until, limit_shown, highs_in_a_row FROM pace_accounts WHERE account = ?"),
    write: database.prepare("INSERT OR REPLACE INTO pace_accounts VALUES (?, ?, ?, ?)"),

    cleanSlots: database.prepare("DELETE FROM pace_slots WHERE account = ? AND open IN (0, 1) AND free_at <= ?"),
    gone: database.prepare("SELECT owner FROM pace_owners WHERE alive_until <= ?"),
    forgetOwner: database.prepare("DELETE FROM pace_owners WHERE owner = ?"),
    forgetTickets: database.prepare("DELETE FROM pace_tickets WHERE owner = ?"),

    taken: database.prepare("SELECT COUNT(*) AS count FROM pace_slots WHERE account = ?"),
    soonest: database.prepare("SELECT free_at FROM pace_slots WHERE account = ? AND open = ? ORDER BY free_at LIMIT ?"),
    putSlot: database.prepare("INSERT OR REPLACE INTO pace_slots VALUES (?, ?, ?, ?, ?)"),
    findSlot: database.prepare("SELECT owner, free_at, open FROM pace_slots WHERE id = ?"),
    removeSlot: database.prepare("DELETE FROM pace_slots WHERE id = ?"),

    takenAt: database.prepare("SELECT COUNT(*) AS count FROM pace_slots WHERE account = ? AND free_at > ?"),
    soonestAt: database.prepare(
      "SELECT free_at FROM pace_slots WHERE account = ? AND open = ? AND free_at > ? ORDER BY free_at LIMIT ?",
    ),
    waitingAt: database.prepare(`SELECT COUNT(*) AS count FROM pace_tickets
      WHERE account = ? AND priority = ? AND owner IN (SELECT owner FROM pace_owners WHERE alive_until > ?)`),

    waiting: database.prepare("SELECT COUNT(*) AS count FROM pace_tickets WHERE account = ? AND priority = ?"),
    ahead: database.prepare(`SELECT COUNT(*) AS count FROM pace_tickets
      WHERE account = ? AND priority = ? AND (first > ? OR (first = ? AND place < ?))`),
    find: database.prepare("SELECT place FROM pace_tickets WHERE id = ?"),
    enter: database.prepare("INSERT INTO pace_tickets VALUES (?, ?, ?, ?, ?, ?) RETURNING place"),
    leave: database.prepare("DELETE FROM pace_tickets WHERE id = ?"),
    alive: database.prepare("INSERT OR REPLACE INTO pace_owners VALUES (?, ?)"),
    others: database.prepare(`SELECT EXISTS (SELECT 1 FROM pace_tickets WHERE account = ? AND owner <> ?)
      OR EXISTS (SELECT 1 FROM pace_slots WHERE account = ? AND open = 1 AND owner <> ?) AS others`),

    plan: database.prepare("SELECT sent, plan_limit FROM pace_plan WHERE account = ? AND period = ?"),
    writePlan: database.prepare("INSERT OR REPLACE INTO pace_plan VALUES (?, ?, ?, ?)"),
    forgetPlans: database.prepare(
      "DELETE FROM pace_plan WHERE account = ? AND period < ? AND length(period) = length(?)",
    ),
  };
}
