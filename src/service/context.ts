import type { IncomingMessage } from "node:http";
import type { Clock } from "./clock.js";
import type { Settings } from "./control/settings.js";
import type { Deliveries } from "./delivery/deliveries.js";
import type { Webhooks } from "./delivery/webhooks.js";
import type { DnsSource } from "./dns/check.js";
import type { LogSearch } from "./logs/log-search.js";
import type { Filing } from "./mail/filing.js";
import type { Patterns } from "./rules/patterns.js";
import type { AccountRecord } from "./store/accounts.js";
import type { DomainRecord } from "./store/domains.js";
import type { Store } from "./store/store.js";

/** What the routes work with. */
export interface ServiceContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly logSearch: LogSearch;
  /** Compiles and evaluates what users write into rules. */
  readonly patterns: Patterns;
  /** What tests chose. */
  readonly settings: Settings;
  /** What becomes of mails after they were accepted. */
  readonly deliveries: Deliveries;
  readonly webhooks: Webhooks;
  /** Composes accepted mails. */
  readonly filing: Filing;
  /** The folder for captured mails, where they are to be kept as files. */
  readonly mailFolder: string | undefined;
  /** Where domains are looked up. */
  readonly dns: DnsSource;
}

/** What a request carries on its way through the API. */
export interface ApiEnv {
  /** Where it came in; without a listener, nothing. */
  Bindings: { readonly incoming?: IncomingMessage };
  Variables: {
    /** Whose key it brought. */
    account: AccountRecord;
    /** The domain that its path names. */
    domain: DomainRecord;
  };
}
