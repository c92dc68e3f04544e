import type { RequestSlot } from "../../api/calls/policy.js";
import type { Backoff } from "../../api/calls/timing.js";
import type { SmtpResolver, SmtpServer } from "../../project/smtp-server.js";
import type { Clock } from "../clock.js";
import type { RejectedError } from "../errors.js";
import type { Parcel, RefusedRecipient } from "../parcel.js";
import type { SignOfLife } from "./breaker.js";

/** What `smtp()` of `lettershop/smtp` returns: pass it to `createMailer` as `transport`. */
export interface MailTransport extends SmtpResolver {
  /** Loads what sending needs. */
  readonly open: (options: SmtpTransportOptions) => Promise<SmtpTransport>;
}

export interface SmtpTransportOptions {
  readonly server: SmtpServer;
  readonly domain: string;
  /** Whether a server that is not on this machine may be used without TLS. */
  readonly allowInsecure?: boolean | undefined;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

export interface SmtpTransport extends Transport {
  /** Connects and logs in, over a connection of its own. */
  verify(): Promise<{ readonly ok: boolean; readonly message: string; readonly hint?: string }>;
}

/** The way that messages leave: the service's API, or SMTP. */
export interface Transport {
  /** Of the service, or `smtp://HOST:PORT`. */
  readonly url: string;
  /**
   * After two or more unknown outcomes in a row: how long until a message is risked although no probe has shown that
   * sending works again. It may become one more unknown outcome.
   */
  readonly risk: Backoff;
  /**
   * Makes one try to deliver a message.
   *
   * @throws What is wrong with the options or the message, such as a ConfigurationError; nothing has been sent.
   */
  deliver(message: OutgoingMessage, options: TryOptions): Promise<Attempt>;
  /**
   * Finds out whether an outage is over, without sending anything that could arrive.
   *
   * @param sendingSlot Acquires a slot, if it is not enough that something answers: sending itself must work.
   */
  probe(signal: AbortSignal, sendingSlot: (() => Promise<RequestSlot | undefined>) | undefined): Promise<SignOfLife>;
  /** Closes the connections once the tries in progress have ended. */
  close(): Promise<void>;
}

export interface OutgoingMessage {
  /** The Message-ID, with angle brackets: the same for all tries. The API chooses its own. */
  readonly messageId: string;
  readonly email: Parcel["email"];
}

export interface TryOptions {
  /** Ends with the try, unless nothing is sent at all. */
  readonly slot: RequestSlot;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** What became of one try. */
export type Attempt =
  | {
      readonly outcome: "accepted";
      /** Of a log entry. */
      readonly id: string;
      readonly messageId: string;
      readonly refused?: readonly RefusedRecipient[] | undefined;
    }
  /** It is refused for good. */
  | { readonly outcome: "rejected"; readonly error: RejectedError }
  /** Nothing is accepted for now. */
  | {
      readonly outcome: "held";
      readonly waitMs: number;
      /** What the server answered, as a sentence, for the error's message. */
      readonly reason?: string;
      readonly cause: Error;
    }
  /** This message is not accepted for now; others may be sent meanwhile. */
  | { readonly outcome: "deferred"; readonly reason: string; readonly cause: Error }
  /** It definitely did not arrive. */
  | {
      readonly outcome: "not sent";
      readonly reason: string;
      /** What the network reported, for the error's message. */
      readonly detail?: string | undefined;
      readonly hint?: string | undefined;
      readonly cause: unknown;
    }
  /** The caller's signal ended it before anything left. */
  | { readonly outcome: "aborted" }
  /** It may have arrived. */
  | { readonly outcome: "unknown"; readonly reason: string; readonly cause: unknown };
