import type { Clock, Faults } from "../../src/service/index.js";
import type { TestLog } from "../service/log-entries.js";
import type { Api } from "./api.js";

/** An account of the service, and one of its domains, under both versions. */
export interface Account {
  readonly domain: string;
  readonly v3: Api;
  readonly v4: Api;
  readonly both: readonly [Api, Api];
}

/**
 * What a sentence is tested with: the local service, or a real account. What is there only sometimes is a getter that
 * skips the test where it is not, and says why.
 */
export interface World extends Account {
  /** An address that mails may be sent to; `tag` tells several apart. */
  recipient(tag: string): string;
  /** Lets time pass. */
  readonly wait: (seconds: number) => Promise<void>;
  /** An account on the free plan. */
  readonly free: Account;
  /** A domain of the account that DNS knows nothing of. */
  readonly unready: string;
  /** A domain that is in no account, and that may be added to this one and deleted. */
  readonly newDomain: string;
  /** With a key that is not valid. */
  readonly stranger: Account;
  /** What only the local service has. */
  readonly local: Local;
}

export interface Local {
  readonly clock: Clock;
  readonly faults: Faults;
  /** The log, to write entries into that nothing else here leads to. */
  openLog(): Promise<TestLog>;
}
