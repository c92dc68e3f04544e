import type { Registry } from "../template/registry.js";
import type { Clock } from "./clock.js";
import type { Duration } from "./duration.js";
import type { Rendering } from "./message/options.js";
import type { MailStore } from "./store/store.js";

export interface MailerOptions<Types extends object, WithoutSubject extends keyof Types = never> {
  /** What `templates types` generated. Without it only messages without a template can be sent. */
  readonly templates?: Registry<Types, WithoutSubject>;
  /** An environment of the configuration, or `local`. Default: `LETTERSHOP_ENV`, else the configuration's default, `local` only while developing. */
  readonly environment?: string;
  /** Wins over `LETTERSHOP_URL` and the environment's. */
  readonly url?: string;
  /** Wins over `LETTERSHOP_DOMAIN` and the environment's. */
  readonly domain?: string;
  /** Wins over `LETTERSHOP_API_KEY` or the variable that the environment names. */
  readonly apiKey?: string;
  /**
   * Whether the key may travel unencrypted to another machine, which an `http://` URL needs. Default: the environment's,
   * else false. The local service's key, `local`, needs no permission.
   */
  readonly allowInsecure?: boolean | undefined;
  /** The local part of the sender's address, for messages that don't name their own. */
  readonly from?: string;
  /**
   * Where templates' bodies come from: `template`, the default, names the one on the service; `local` fills what
   * `templates types --bodies` wrote and sends it as it is.
   */
  readonly render?: Rendering;
  /**
   * A file (SQLite) that the processes of a machine share: their pace, what was sent and not answered, suppressed
   * addresses and the outbox; or a store of one's own. Default: `LETTERSHOP_STORE`, else memory, which has no outbox.
   */
  readonly store?: string | MailStore;
  /** Milliseconds that a send may wait for its turn and between tries, in all. Default 10,000. */
  readonly maxWait?: number;
  /** Milliseconds for the service to answer, and before that for streams among a message's attachments to end. Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * Messages in any 60 seconds, over all that send with the same key and store. Default 10, the service's limit; more only
   * where the service is known to take more, as a local one without limits.
   */
  readonly sendsPerMinute?: number;
  /** How a message is looked for in the delivery log when the answer to its request was lost. */
  readonly reconcile?: ReconcileOptions;
  /** Whether addresses that hard-bounced get no more mail, until they are taken off `mailer.suppressions`. Default false. */
  readonly suppressHardBounces?: boolean;
  /** What the outbox keeps, and for how long. */
  readonly outbox?: OutboxOptions;
  /** For `derive`: BCP 47. Default: the registry's, which is the configuration's. */
  readonly locale?: string;
  /** For `derive`: IANA name. Default: the registry's. */
  readonly timeZone?: string;
  /** The time that the mailer goes by. Default: the machine's. */
  readonly clock?: Clock;
}

export interface ReconcileOptions {
  /** How long an entry may take until the log shows it, in milliseconds. Default 60,000. */
  readonly logDelayMs?: number;
  /**
   * A local part of the environment's domain. Every message then has a blind copy to `correlation+ID@domain`, by which it is
   * found without a doubt; it costs a mail each, and the address has to lead somewhere.
   */
  readonly correlation?: string;
}

/** Times such as `"30d"`, `"12h"`, or milliseconds. */
export interface OutboxOptions {
  /** How long a key is remembered after its message was decided. Default `"30d"`. */
  readonly keepKeys?: Duration;
  /** How long the content (addresses, variables, bodies, files) of a message stays after it was accepted, has expired or was discarded. Default `"1d"`. */
  readonly keepContents?: Duration;
  /** The same for what was parked or rejected. Default `"30d"`. */
  readonly keepUndecided?: Duration;
  /** How long a process that says nothing is believed to be alive; others go on with what it had soon after. Default `"15s"`. */
  readonly lease?: Duration;
}
