import { AccountStore } from "./accounts.js";
import { AliasStore } from "./aliases.js";
import { CredentialStore } from "./credentials.js";
import type { ServiceClock } from "../clock.js";
import { ComingEventStore } from "./coming-events.js";
import { GroupCommit, transaction } from "../../sqlite/transaction.js";
import { changesOf, closeDatabase, openDatabase, writeAheadLog } from "./database.js";
import { DomainStore } from "./domains.js";
import { flushOf } from "../../sqlite/flush.js";
import { LogFeed } from "./log-feed.js";
import { LogStore } from "./logs.js";
import { CapturedMailStore } from "./mails.js";
import { RuleStore } from "./rules.js";
import { TemplateStore } from "./templates.js";
import type { Database } from "../../sqlite/driver.js";
import { z } from "zod";

/**
 * Everything the service stores. A write survives the end of the process at once, and a power failure once it was
 * `flushed`: no write is answered before that.
 */
export interface Store {
  readonly accounts: AccountStore;
  readonly domains: DomainStore;
  readonly aliases: AliasStore;
  readonly rules: RuleStore;
  readonly credentials: CredentialStore;
  readonly templates: TemplateStore;
  readonly logs: LogStore;
  readonly logFeed: LogFeed;
  readonly mails: CapturedMailStore;
  readonly comingEvents: ComingEventStore;
  readonly webhookPosts: WebhookPostStore;
  readonly time: TimeStore;
  /** Runs changes atomically: all are kept or, if something throws, none. Must be synchronous. */
  transaction<Result>(change: () => Result): Result;
  /**
   * Runs changes together with others that arrive at the same time, each in its own transaction. Resolves when they are
   * on the disk.
   */
  write<Result>(change: () => Result): Promise<Result>;
  /** Resolves when everything written so far is on the disk. */
  flushed(): Promise<void>;
  close(): void;
}

/**
 * Opens the store in a file, or `:memory:`.
 *
 * @param logDelayMs Delay in ms, by the clock, before a new entry appears in the log.
 */
export async function openStore(file: string, clock: ServiceClock, logDelayMs = () => 0): Promise<Store> {
  const database = await openDatabase(file);
  const flush = file === ":memory:" ? undefined : flushOf(writeAheadLog(file), changesOf(database));
  const group = new GroupCommit(database, { flush });
  const store: Store = {
    accounts: new AccountStore(database),
    domains: new DomainStore(database),
    aliases: new AliasStore(database),
    rules: new RuleStore(database),
    credentials: new CredentialStore(database),
    templates: new TemplateStore(database),
    logs: new LogStore(database, clock, logDelayMs),
    logFeed: new LogFeed(database),
    mails: new CapturedMailStore(database),
    comingEvents: new ComingEventStore(database),
    webhookPosts: new WebhookPostStore(database),
    time: new TimeStore(database),
    transaction(change) {
      try {
        return transaction(database, change);
      } catch (error) {
        store.domains.forget();
        store.templates.forget();
        throw error;
      }
    },
    write: (change) => group.write(change),
    flushed: async () => flush?.flushed(),
    close() {
      flush?.close();
      closeDatabase(database);
    },
  };
  return store;
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
class TimeStore {
  readonly #keep;
  readonly #newest;

  constructor(database: Database) {
    this.#keep = database.prepare(`
      INSERT INTO reached (id, time) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET time = max(time, excluded.time)`);
    this.#newest = database.prepare(`SELECT coalesce(max(time), 0) AS time FROM (${TIMES.join(" UNION ALL ")})`);
  }

  /** Records a time of the service, in milliseconds since 1970. */
  keep(time: number): void {
    this.#keep.run(time);
  }

  /** The latest time that was recorded or that anything in the store has; 0 if there is none. */
  newest(): number {
    return Number(this.#newest.get()?.["time"]);
  }
}

const row = z.object({
  seq: z.int(),
  attempts: z.int(),
  body: z.string(),
  /** The domain's current webhook; null if it no longer has one. */
  webhook: z.string().nullable(),
});

type WebhookPostRecord = Readonly<z.infer<typeof row>>;

/** Pending posts to webhooks. */
class WebhookPostStore {
  readonly #announced;
  readonly #insert;
  readonly #nextDueAt;
  readonly #dueDomains;
  readonly #next;
  readonly #postpone;
  readonly #delete;

  constructor(database: Database) {
    this.#announced = database.prepare("SELECT name FROM domains WHERE id = ? AND webhook IS NOT NULL");
    this.#insert = database.prepare("INSERT INTO webhook_posts (domain_id, due_at, body) VALUES (?, ?, ?)");
    this.#nextDueAt = database.prepare("SELECT min(due_at) AS dueAt FROM webhook_posts");
    this.#dueDomains = database.prepare("SELECT DISTINCT domain_id AS id FROM webhook_posts WHERE due_at <= ?");
    this.#next = database.prepare(`
      SELECT webhook_posts.seq, attempts, body, webhook FROM webhook_posts JOIN domains ON domains.id = domain_id
      WHERE domain_id = ? AND due_at <= ? ORDER BY webhook_posts.seq LIMIT 1`);
    this.#postpone = database.prepare("UPDATE webhook_posts SET attempts = attempts + 1, due_at = ? WHERE seq = ?");
    this.#delete = database.prepare("DELETE FROM webhook_posts WHERE seq = ?");
  }

  /** The name of a domain that has a webhook. Undefined for any other domain. */
  announcedName(domainId: number): string | undefined {
    const name = this.#announced.get(domainId)?.["name"];
    return typeof name === "string" ? name : undefined;
  }

  add(domainId: number, dueAt: number, body: string): void {
    this.#insert.run(domainId, dueAt, body);
  }

  /** When the next post is due; `Infinity` if there is none. */
  nextDueAt(): number {
    const dueAt = this.#nextDueAt.get()?.["dueAt"];
    return typeof dueAt === "number" ? dueAt : Infinity;
  }

  /** The domains with posts that are due. */
  dueDomains(now: number): number[] {
    return this.#dueDomains.all(now).map(({ id }) => Number(id));
  }

  /** The oldest post that is due for a domain. */
  next(domainId: number, now: number): WebhookPostRecord | undefined {
    const columns = this.#next.get(domainId, now);
    return columns && row.parse(columns);
  }

  /** Counts an attempt and sets the time of the next one. */
  postpone(seq: number, dueAt: number): void {
    this.#postpone.run(dueAt, seq);
  }

  delete(seq: number): void {
    this.#delete.run(seq);
  }
}
