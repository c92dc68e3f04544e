import { tmpdir } from "node:os";
import type { ServiceContext } from "../context.js";
import type { DataFolder } from "../folder.js";
import { smtpCertificate } from "./certificate.js";
import { destinations } from "./destinations.js";
import { Forwarding } from "./forwarding.js";
import { composeIncoming, hintOf, RefusedError } from "./incoming.js";
import { MESSAGE_BYTES, type Received, TOO_LARGE } from "./envelope.js";
import { Reception } from "./receive.js";
import type { LogEventRecord } from "../store/log-rows.js";
import type { SmtpListener, SmtpOptions } from "./smtp-listener.js";
import { SenderRewriting } from "./srs.js";
import { Submission } from "./submit.js";

export interface InboundOptions {
  /** URL of the SMTP server for other domains. Undefined: their emails are captured. */
  readonly relay: string | undefined;
  /** Whether rate limits are enforced. */
  readonly limits: boolean;
  readonly onError: (error: Error) => void;
}

interface ListenOptions extends Pick<SmtpOptions, "host" | "ports" | "allowInsecureAuth"> {
  /** Where the certificate is stored. */
  readonly folder: DataFolder | undefined;
}

/** Maximum number of received emails in a list. */
const LISTED_MAX = 100;

/** An email to one recipient that was accepted or refused, as tests see it. */
export interface ReceivedEntry {
  /** Its number, for `receivedAfter`. */
  readonly seq: number;
  /** The id of its log entry. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Address in the envelope. */
  readonly sender: string;
  /** Address at one of the service's domains. */
  readonly recipient: string;
  readonly subject: string;
  /** What happened to it at all of its destinations, in order of time. */
  readonly events: readonly LogEventRecord[];
}

export interface ReceivedEntries {
  readonly received: readonly ReceivedEntry[];
  /** Number of the log's newest entry. */
  readonly last: number;
}

/** Emails that arrive by SMTP, and their way to where aliases and rules forward them. */
export class Inbound {
  readonly #context;
  readonly #onError;
  readonly #reception: Reception;
  readonly #submission;
  readonly #forwarding;
  readonly #stopping = new AbortController();
  /** Emails of tests that are being received. */
  readonly #receiving = new Set<Promise<unknown>>();
  #listener: SmtpListener | undefined;

  constructor(
    context: Pick<
      ServiceContext,
      "store" | "clock" | "settings" | "patterns" | "reader" | "deliveries" | "webhooks" | "filing" | "signer"
    >,
    { relay, limits, onError }: InboundOptions,
  ) {
    this.#context = context;
    this.#onError = onError;
    const { signal } = this.#stopping;
    const senders = new SenderRewriting(context.store.received.secret);
    const { deliver, captureAtOnce } = destinations(context, {
      relay,
      senders,
      receive: (envelope, source) => this.#reception.receive(envelope, source, signal),
      signal,
    });
    this.#forwarding = new Forwarding(context, deliver, onError);
    this.#reception = new Reception({ ...context, senders, captureAtOnce, onForward: () => this.#forwarding.added() });
    this.#submission = new Submission({ ...context, limits });
  }

  /**
   * Listens for SMTP. Returns the port.
   *
   * @throws PortUnavailableError if no port is available.
   */
  async listen({ folder, ...options }: ListenOptions): Promise<number> {
    const { listenSmtp } = await import("./smtp-listener.js");
    this.#listener = await listenSmtp({
      ...options,
      certificate: await smtpCertificate(folder?.path),
      reception: this.#reception,
      submission: this.#submission,
      folder: folder?.path ?? tmpdir(),
      onError: this.#onError,
    });
    return this.#listener.port;
  }

  /** The port of SMTP. Undefined if it is switched off. */
  get port(): number | undefined {
    return this.#listener?.port;
  }

  /**
   * Receives a test's email as if it had come by SMTP.
   *
   * @throws RefusedError; ControlError if it is not an email.
   */
  async receive(email: unknown): Promise<Received> {
    const receiving = this.#receive(email).finally(() => this.#receiving.delete(receiving));
    this.#receiving.add(receiving);
    return await receiving;
  }

  async #receive(email: unknown): Promise<Received> {
    const { store, reader } = this.#context;
    const { envelope, source } = await composeIncoming(email, reader);
    const result =
      source.length > MESSAGE_BYTES
        ? await this.#reception.refuse(envelope, TOO_LARGE)
        : await this.#reception.receive(envelope, source, this.#stopping.signal);
    if ("ids" in result) return result;
    throw new RefusedError({ ...result, hint: hintOf(envelope, result, store) });
  }

  /** What was received after an entry of the log (0 for everything), newest first, at most 100. */
  receivedAfter(seq: number): ReceivedEntries {
    const { logs } = this.#context.store;
    const received = logs.receivedAfter(seq, LISTED_MAX).map((entry) => ({
      seq: entry.seq,
      id: entry.id,
      receivedAt: entry.createdAt,
      sender: entry.sender.email,
      recipient: entry.recipient.email,
      subject: entry.subject,
      events: entry.events,
    }));
    return { received, last: logs.lastSeq() };
  }

  /** Starts due deliveries. */
  wake(): void {
    this.#forwarding.wake();
  }

  async close(): Promise<void> {
    await this.#listener?.close();
    this.#stopping.abort(new Error("The service is closing"));
    await this.#forwarding.stop();
    await Promise.allSettled(this.#receiving);
  }
}
