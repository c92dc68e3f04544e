import { AccountStore } from "./accounts.js";
import { AliasStore } from "./aliases.js";
import { CredentialStore } from "./credentials.js";
import type { Clock } from "../clock.js";
import { ComingEventStore } from "./coming-events.js";
import { transaction } from "../../sqlite/transaction.js";
import { changesOf, closeDatabase, openDatabase, writeAheadLog } from "./database.js";
import { DomainStore } from "./domains.js";
import { flushOf, noFlush } from "../../sqlite/flush.js";
import { GroupCommit } from "../../sqlite/group-commit.js";
import { LogFeed } from "./log-feed.js";
import { LogStore } from "./logs.js";
import { MailStore } from "./mails.js";
import { RuleStore } from "./rules.js";
import { TemplateStore } from "./templates.js";
import { TimeStore } from "./time.js";
import { WebhookPostStore } from "./webhook-posts.js";

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
  readonly mails: MailStore;
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
export async function openStore(file: string, clock: Clock, logDelayMs = () => 0): Promise<Store> {
  const database = await openDatabase(file);
  const flush = file === ":memory:" ? noFlush : flushOf(writeAheadLog(file), changesOf(database));
  const group = new GroupCommit(database, flush);
  const store: Store = {
    accounts: new AccountStore(database),
    domains: new DomainStore(database),
    aliases: new AliasStore(database),
    rules: new RuleStore(database),
    credentials: new CredentialStore(database),
    templates: new TemplateStore(database),
    logs: new LogStore(database, clock, logDelayMs),
    logFeed: new LogFeed(database),
    mails: new MailStore(database),
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
    flushed: () => flush.flushed(),
    close() {
      flush.close();
      closeDatabase(database);
    },
  };
  return store;
}
