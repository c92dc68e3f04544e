import type { z } from "zod";
import type { ServiceContext } from "../context.js";
import type { DataFolder } from "../folder.js";
import { LOCAL_SMTP_PORT } from "../../api/local.js";
import type { Ports } from "../../process/listen.js";
import { smtpCertificate } from "./certificate.js";
import { destinations } from "./destinations.js";
import { Forwarding } from "./forwarding.js";
import { composeIncoming, type incomingSchema, RefusedError } from "./incoming.js";
import { type Received, Reception } from "./receive.js";
import type { SmtpListener } from "./smtp-listener.js";
import { SenderRewriting } from "./srs.js";
import { Submission } from "./submit.js";

export interface InboundOptions {
  /** URL of the SMTP server for other domains. Undefined: their emails are captured. */
  readonly relay: string | undefined;
  /** Whether rate limits are enforced. */
  readonly limits: boolean;
  readonly onError: (error: Error) => void;
}

export interface ListenOptions {
  readonly host: string;
  readonly ports: Ports;
  readonly folder: DataFolder | undefined;
  /** Whether clients may log in without TLS. */
  readonly allowInsecureAuth: boolean;
}

/** Emails that arrive by SMTP, and their way on to where aliases and rules forward them. */
export class Inbound {
  readonly #reception: Reception;
  readonly #submission;
  readonly #forwarding;
  readonly #reader;
  readonly #onError;
  readonly #stopping = new AbortController();
  #listener: SmtpListener | undefined;

  constructor(
    context: Pick<
      ServiceContext,
      "store" | "clock" | "settings" | "patterns" | "reader" | "deliveries" | "webhooks" | "filing"
    >,
    { relay, limits, onError }: InboundOptions,
  ) {
    const senders = new SenderRewriting(context.store.received.secret);
    const { deliver, captureAtOnce } = destinations(context, {
      relay,
      senders,
      receive: (envelope, source) => this.#reception.receive(envelope, source),
      signal: this.#stopping.signal,
    });
    this.#forwarding = new Forwarding(context, deliver, onError);
    this.#reception = new Reception({ ...context, senders, captureAtOnce, onForward: () => this.#forwarding.added() });
    this.#submission = new Submission({ ...context, limits });
    this.#reader = context.reader;
    this.#onError = onError;
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
      onError: this.#onError,
    });
    return this.#listener.port;
  }

  /**
   * Receives a test's email as if it had come by SMTP.
   *
   * @throws RefusedError
   */
  async receive(email: z.output<typeof incomingSchema>): Promise<Received> {
    const { envelope, source } = await composeIncoming(email, this.#reader);
    const result = await this.#reception.receive(envelope, source);
    if ("code" in result) throw new RefusedError(result.code, result.message);
    return result;
  }

  /** Starts due deliveries. */
  wake(): void {
    this.#forwarding.wake();
  }

  async close(): Promise<void> {
    await this.#listener?.close();
    this.#stopping.abort();
    await this.#forwarding.stop();
  }
}

/** The ports to try: the given one, or what the data folder last had. Undefined if SMTP is switched off. */
export async function smtpPorts(
  port: number | false | undefined,
  folder: DataFolder | undefined,
): Promise<Ports | undefined> {
  if (port === false) return undefined;
  if (port !== undefined) return [port];
  const last = (await folder?.readServiceFile())?.smtpPort;
  return last === undefined ? [LOCAL_SMTP_PORT, 0] : [last, LOCAL_SMTP_PORT, 0];
}
