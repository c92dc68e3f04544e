import { AccountStore } from "./accounts.js";
import { closeDatabase, openDatabase, transaction } from "./database.js";
import { DomainStore } from "./domains.js";
import { LogStore } from "./logs.js";
import { MailStore } from "./mails.js";
import { plant, type Seed } from "./seed.js";
import { TemplateStore } from "./templates.js";

/** Everything that the service remembers. A method that writes has written to the disk when it returns. */
export interface Store {
  readonly accounts: AccountStore;
  readonly domains: DomainStore;
  readonly templates: TemplateStore;
  readonly logs: LogStore;
  readonly mails: MailStore;
  /** Runs the changes as one: all are kept, or, when something throws, none. Must not wait for anything. */
  transaction<Result>(change: () => Result): Result;
  close(): void;
}

/** Opens the store in a file, or `:memory:`, and plants the seed where it is missing. */
export async function openStore(file: string, seed: Seed, now: number): Promise<Store> {
  const database = await openDatabase(file);
  const store: Store = {
    accounts: new AccountStore(database),
    domains: new DomainStore(database),
    templates: new TemplateStore(database),
    logs: new LogStore(database),
    mails: new MailStore(database),
    transaction: (change) => transaction(database, change),
    close: () => closeDatabase(database),
  };
  store.transaction(() => plant(seed, store, now));
  return store;
}
