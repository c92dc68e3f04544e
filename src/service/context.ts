import type { IncomingMessage } from "node:http";
import type { ServiceClock } from "./clock.js";
import type { Settings } from "./control/settings.js";
import type { Deliveries } from "./delivery/deliveries.js";
import type { Webhooks } from "./delivery/webhooks.js";
import type { Inbound } from "./inbound/inbound.js";
import type { DnsSource } from "./dns/check.js";
import type { LogSearch } from "./logs/log-search.js";
import type { Filing } from "./mail/filing.js";
import type { MailReader } from "./mail/mail-reader.js";
import type { DkimSigner } from "./dns/dkim.js";
import type { Patterns } from "./patterns/patterns.js";
import type { AccountRecord } from "./store/accounts.js";
import type { DomainRecord } from "./store/domains.js";
import type { Store } from "./store/store.js";

/** Dependencies of the routes. */
export interface ServiceContext {
  readonly store: Store;
  readonly clock: ServiceClock;
  readonly logSearch: LogSearch;
  /** Compiles and evaluates the patterns of users' rules. */
  readonly patterns: Patterns;
  /** Parses emails. */
  readonly reader: MailReader;
  /** Behaviour that tests can choose. */
  readonly settings: Settings;
  /** Events of emails after they were accepted. */
  readonly deliveries: Deliveries;
  readonly webhooks: Webhooks;
  /** Receives and forwards emails. */
  readonly inbound: Inbound;
  /** Composes accepted emails. */
  readonly filing: Filing;
  /** Signs sent emails. */
  readonly signer: DkimSigner;
  /** Where DNS records are looked up. */
  readonly dns: DnsSource;
}

/** Data that a request carries through the API. */
export interface ApiEnv {
  /** The connection. Undefined without a listener. */
  Bindings: { readonly incoming?: IncomingMessage };
  Variables: {
    /** The account of the request's API key. */
    account: AccountRecord;
    /** The domain in the request's path. */
    domain: DomainRecord;
  };
}
