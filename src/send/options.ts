import type { Registry } from "../project/registry-types.js";
import type { Clock, Duration } from "./clock.js";
import type { Rendering } from "./message/options.js";
import type { MailTransport } from "./delivery/transport.js";
import type { MailStore } from "./store/store.js";

export interface MailerOptions<Types extends object, WithoutSubject extends keyof Types = never> {
  /** The registry that `templates types` generated. Without it, only messages without a template can be sent. */
  readonly templates?: Registry<Types, WithoutSubject>;
  /**
   * An environment of the configuration, or `local`. Default: `LETTERSHOP_ENV`, otherwise the configuration's default;
   * `local` only during development.
   */
  readonly environment?: string;
  /** Overrides `LETTERSHOP_URL` and the environment's URL. */
  readonly url?: string;
  /** Overrides `LETTERSHOP_DOMAIN` and the environment's domain. */
  readonly domain?: string;
  /** Overrides `LETTERSHOP_API_KEY`, or the variable that the environment names. */
  readonly apiKey?: string;
  /**
   * Whether the key may be sent unencrypted to another machine, as an `http://` URL requires. Default: the
   * environment's setting, otherwise false. The local service's key, `local`, needs no permission.
   */
  readonly allowInsecure?: boolean | undefined;
  /**
   * `smtp()` of `lettershop/smtp`: messages leave by SMTP, filled from the bodies that `templates types --bodies` wrote.
   * `url` and the key are then optional; with them, lost answers are looked up in the service's log, and `status`,
   * `waitFor` and `bounces` work. Default: the environment's transport, otherwise the service's API.
   */
  readonly transport?: MailTransport;
  /** The local part of the sender's address, for messages that don't set their own. */
  readonly from?: string;
  /**
   * Where template bodies come from: `template`, the default except by SMTP, refers to the template on the service; `local` fills the
   * bodies that `templates types --bodies` wrote and sends the result.
   */
  readonly render?: Rendering;
  /**
   * A SQLite file that the processes of a machine share: their pace, requests without an answer, suppressed addresses
   * and the outbox; `postgresStore` of `lettershop/postgres`, for several machines; or a custom store. Default: `LETTERSHOP_STORE`, otherwise memory, which has no outbox.
   */
  readonly store?: string | MailStore;
  /** Maximum milliseconds that a send may spend waiting for its turn and between tries, in total. Default 10,000. */
  readonly maxWait?: number;
  /**
   * Milliseconds for the service to answer; the same limit applies before that to reading streamed attachments. Default
   * 30,000.
   */
  readonly timeoutMs?: number;
  /**
   * Maximum messages in any 60 seconds, across everything that sends with the same key and store. Default 10, the
   * service's limit; set more only if the service is known to allow it, such as a local one without limits. With
   * Infinity, they are not counted, so that mailers with a limit don't know of them.
   */
  readonly sendsPerMinute?: number;
  /** How the delivery log is searched for a message when the answer to its request was lost. */
  readonly reconcile?: ReconcileOptions;
  /**
   * Whether addresses that hard-bounced get no more mail, until they are removed from `mailer.suppressions`. Default
   * false.
   */
  readonly suppressHardBounces?: boolean;
  /** What the outbox keeps, and for how long. */
  readonly outbox?: OutboxOptions;
  /** For `derive` and computed values: a BCP 47 language tag. Default: the registry's, which comes from the configuration. */
  readonly locale?: string;
  /** For `derive` and computed values: an IANA time zone name. Default: the registry's. */
  readonly timeZone?: string;
  /** The clock that the mailer uses. Default: the machine's. */
  readonly clock?: Clock;
}

export interface ReconcileOptions {
  /** Maximum time until an entry appears in the log, in milliseconds. Default 60,000. */
  readonly logDelayMs?: number;
  /**
   * A local part at the environment's domain. Every message then has a blind copy to `correlation+ID@domain`, which
   * identifies it without doubt in the log. Each copy counts as one more email, and the address must be able to receive
   * it.
   */
  readonly correlation?: string;
}

/** Durations such as `"30d"`, `"12h"`, or milliseconds. */
export interface OutboxOptions {
  /** How long a key is remembered after its message was decided. Default `"30d"`. */
  readonly keepKeys?: Duration;
  /**
   * How long the content of a message (addresses, variables, bodies, files, the text of its key) is kept after it was
   * accepted, expired or was discarded; 0 deletes it at once. Default `"1d"`.
   */
  readonly keepContents?: Duration;
  /** The same for parked and rejected messages. Default `"30d"`. */
  readonly keepUndecided?: Duration;
  /**
   * How long a process that sends no heartbeat counts as alive; others take over its messages soon after. Default
   * `"15s"`.
   */
  readonly lease?: Duration;
}
