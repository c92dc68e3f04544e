import type { CapturedMails, Clock, Faults, Seed } from "../../src/service/index.js";
import type { DnsServer } from "../service/dns-server.js";
import type { TestLog } from "../service/log-entries.js";
import type { Api } from "./api.js";

/** An account of the service and one of its domains, in both versions. */
export interface Account {
  readonly domain: string;
  readonly v3: Api;
  readonly v4: Api;
  readonly both: readonly [Api, Api];
}

/**
 * The service that a sentence is tested with: the local one, or a real account. Getters of features that may be missing
 * skip the test with a reason.
 */
export interface World extends Account {
  /** An email address that may be sent to. Different tags give different addresses. */
  recipient(tag: string): string;
  /** Lets time pass. */
  readonly wait: (seconds: number) => Promise<void>;
  /** An account on the free plan. */
  readonly free: Account;
  /** A domain of the account without DNS records. */
  readonly unready: string;
  /** A domain that is in no account, and that may be added to this one and deleted. */
  readonly newDomain: string;
  /** An account with an invalid key. */
  readonly stranger: Account;
  /** Features that only the local service has. */
  readonly local: Local;
}

export interface Local {
  readonly clock: Clock;
  readonly faults: Faults;
  /** Opens the log, to write entries that cannot be created otherwise. */
  openLog(): Promise<TestLog>;
  /**
   * Starts a service of the test's own, to send emails to it by SMTP.
   *
   * @param domain Settings of the account's domain, as in a seed. Default: it forwards by aliases, and has none.
   * @param account Settings of the account.
   */
  receive(domain?: Partial<SeedDomain>, account?: Omit<SeedAccount, "domains" | "apiKey">): Promise<Mailing>;
}

type SeedAccount = Exclude<Seed, { readonly accounts: unknown }>;
type SeedDomain = NonNullable<SeedAccount["domains"]>[0];

/** An account whose service is sent emails by SMTP. */
export interface Mailing extends Account {
  readonly smtpPort: number;
  /** What the service captured instead of sending it on. */
  readonly mail: CapturedMails;
  readonly clock: Clock;
  /** Its DNS server, which has the domain's records. */
  readonly dns: DnsServer;
}
