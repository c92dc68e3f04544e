import { z } from "zod";
import type { Database } from "../../sqlite/driver.js";
import { flushOf } from "../../sqlite/flush.js";
import { GroupCommit, transaction } from "../../sqlite/transaction.js";
import type { ServiceClock } from "../clock.js";
import { accountStore } from "./accounts.js";
import { aliasStore } from "./aliases.js";
import { comingEventStore } from "./coming-events.js";
import { credentialStore } from "./credentials.js";
import { changesOf, closeDatabase, openDatabase, writeAheadLog } from "./database.js";
import { domainStore } from "./domains.js";
import { logFeed } from "./log-feed.js";
import { logStore } from "./logs.js";
import { capturedMailStore } from "./mails.js";
import { receivedStore } from "./received.js";
import { ruleStore } from "./rules.js";
import { NEVER, prepareNumber, prepareQuery } from "./statements.js";
import { templateStore } from "./templates.js";

/**
 * Everything the service stores. A write survives the end of the process at once, and a power failure once it was
 * `flushed`: no write is answered before that.
 */
export type Store = Awaited<ReturnType<typeof openStore>>;

/**
 * Opens the store in a file, or `:memory:`.
 *
 * @param logDelayMs Delay in ms, by the clock, before a new entry appears in the log.
 */
export async function openStore(file: string, clock: ServiceClock, logDelayMs = () => 0) {
  const database = await openDatabase(file);
  const flush = file === ":memory:" ? undefined : flushOf(writeAheadLog(file), changesOf(database));
  const group = new GroupCommit(database, { flush });
  const unflushed = new GroupCommit(database, {});
  const domains = domainStore(database);
  const templates = templateStore(database);
  return {
    accounts: accountStore(database),
    domains,
    aliases: aliasStore(database),
    rules: ruleStore(database),
    credentials: credentialStore(database),
    templates,
    logs: logStore(database, clock, logDelayMs),
    logFeed: logFeed(database),
    mails: capturedMailStore(database),
    comingEvents: comingEventStore(database),
    webhookPosts: webhookPostStore(database),
    received: receivedStore(database),
    signingKey: signingKeyStore(database),
    time: timeStore(database),
    /** Runs changes atomically: all are kept or, if something throws, none. Must be synchronous. */
    transaction<Result>(change: () => Result): Result {
      try {
        return transaction(database, change);
      } catch (error) {
        domains.forget();
        templates.forget();
        throw error;
      }
    },
    /**
     * Runs changes together with others that arrive at the same time, each in its own transaction. Resolves when they are
     * on the disk.
     */
    write: <Result>(change: () => Result): Promise<Result> => group.write(change),
    /**
     * Like `write`, but a power failure may undo the changes: for those that are then repeated. Nobody waits for the
     * disk.
     */
    commit: <Result>(change: () => Result): Promise<Result> => unflushed.write(change),
    /** Resolves when everything written so far is on the disk. */
    flushed: async (): Promise<void> => flush?.flushed(),
    close(): void {
      flush?.close();
      closeDatabase(database);
    },
  };
}

/** Queries for stored times of the service. In the log, the newest times come last. */
const TIMES = [
  "SELECT time FROM reached",
  "SELECT created_at FROM (SELECT created_at FROM log_entries ORDER BY seq DESC LIMIT 1)",
  "SELECT created_at FROM (SELECT created_at FROM log_events ORDER BY seq DESC LIMIT 1)",
  "SELECT max(created_at) FROM credentials",
  ...["templates", "domains", "aliases", "rules"].map((table) => `SELECT max(updated_at) FROM ${table}`),
];

/** The service's latest time, from which the next start continues. */
function timeStore(database: Database) {
  const keep = database.prepare(`
    INSERT INTO reached (id, time) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET time = max(time, excluded.time)`);
  const newest = prepareNumber(database, `SELECT coalesce(max(time), 0) FROM (${TIMES.join(" UNION ALL ")})`);
  return {
    /** Records a time of the service, in milliseconds since 1970. */
    keep(time: number): void {
      keep.run(time);
    },
    /** The latest time that was recorded or that anything in the store has; 0 if there is none. */
    newest: () => newest(),
  };
}

/** The private key that signs sent emails. */
function signingKeyStore(database: Database) {
  const find = database.prepare("SELECT dkim_key AS key FROM secrets WHERE dkim_key IS NOT NULL");
  const set = database.prepare("UPDATE secrets SET dkim_key = ?");
  return {
    /** As PEM. Undefined until it has been set. */
    find: () => z.string().optional().parse(find.get()?.["key"]),
    set(pem: string): void {
      set.run(pem);
    },
  };
}

const postRow = z.object({
  seq: z.int(),
  attempts: z.int(),
  body: z.string(),
  /** The domain's current webhook; null if it no longer has one. */
  webhook: z.string().nullable(),
});

/** Pending posts to webhooks. */
function webhookPostStore(database: Database) {
  const announced = database.prepare("SELECT name FROM domains WHERE id = ? AND webhook IS NOT NULL");
  const insert = database.prepare("INSERT INTO webhook_posts (domain_id, due_at, body) VALUES (?, ?, ?)");
  const nextDueAt = prepareNumber(database, `SELECT coalesce(min(due_at), ${NEVER}) FROM webhook_posts`);
  const dueDomains = database.prepare("SELECT DISTINCT domain_id AS id FROM webhook_posts WHERE due_at <= ?");
  const next = prepareQuery(
    database,
    postRow,
    `SELECT webhook_posts.seq, attempts, body, webhook FROM webhook_posts JOIN domains ON domains.id = domain_id
    WHERE domain_id = ? AND due_at <= ? ORDER BY webhook_posts.seq LIMIT 1`,
  );
  const postpone = database.prepare("UPDATE webhook_posts SET attempts = attempts + 1, due_at = ? WHERE seq = ?");
  const remove = database.prepare("DELETE FROM webhook_posts WHERE seq = ?");

  return {
    /** The name of a domain that has a webhook. Undefined for any other domain. */
    announcedName(domainId: number): string | undefined {
      const name = announced.get(domainId)?.["name"];
      return typeof name === "string" ? name : undefined;
    },
    add(domainId: number, dueAt: number, body: string): void {
      insert.run(domainId, dueAt, body);
    },
    /** When the next post is due; `Infinity` if there is none. */
    nextDueAt: () => nextDueAt(),
    /** The domains with posts that are due. */
    dueDomains: (now: number) => dueDomains.all(now).map(({ id }) => Number(id)),
    /** The oldest post that is due for a domain. */
    next: (domainId: number, now: number) => next.first(domainId, now),
    /** Counts an attempt and sets the time of the next one. */
    postpone(seq: number, dueAt: number): void {
      postpone.run(dueAt, seq);
    },
    delete(seq: number): void {
      remove.run(seq);
    },
  };
}
