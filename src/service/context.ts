import type { Clock } from "./clock.js";
import type { AccountRecord } from "./store/accounts.js";
import type { DomainRecord } from "./store/domains.js";
import type { Store } from "./store/store.js";

/** What the routes work with. */
export interface ServiceContext {
  readonly store: Store;
  readonly clock: Clock;
  /** The folder for captured mails, where they are to be kept as files. */
  readonly mailFolder: string | undefined;
}

/** What a request carries on its way through the API. */
export interface ApiEnv {
  Variables: {
    /** Whose key it brought. */
    account: AccountRecord;
    /** The domain that its path names. */
    domain: DomainRecord;
  };
}
