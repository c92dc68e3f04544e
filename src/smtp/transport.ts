import SMTPPool from "nodemailer/lib/smtp-pool";
import { type Readable, Transform, type TransformCallback } from "node:stream";
import { isLoopback } from "../api/local.js";
import type { SmtpServer } from "../project/smtp-server.js";
import type { Attempt, OutgoingMessage, SmtpTransport, SmtpTransportOptions } from "../send/delivery/transport.js";
import { composeMessage } from "./compose.js";
import { Outages } from "./outages.js";
import { outcomeOf, readFailure } from "./outcome.js";

type PooledMail = Parameters<SMTPPool["send"]>[0];

/** Connections that send at the same time. */
const CONNECTIONS = 5;
/** An idle connection is closed after this time, so that it does not keep a process alive for long. */
const IDLE_MS = 10_000;

/** Sends by SMTP, over connections that are reused. */
export function openSmtp({ server, domain, allowInsecure, timeoutMs, clock }: SmtpTransportOptions): SmtpTransport {
  const { url } = server;
  const pool = new SMTPPool({ ...connectionOptions(server, allowInsecure, timeoutMs), maxConnections: CONNECTIONS });
  const outages = new Outages(clock);
  const underWay = new Set<Promise<unknown>>();

  const deliver: SmtpTransport["deliver"] = async (message, { slot, timeoutMs: limitMs, signal }) => {
    const composed = composeMessage(message, domain, new Date(clock.time()));
    if (message.email.attachments !== undefined) composed.transform(() => new Pieces());
    let content: Readable | undefined;
    const read = composed.createReadStream.bind(composed);
    composed.createReadStream = (options) => (content = read(options));
    const ending = new Ending(limitMs, signal);
    const trying = new Promise<Attempt>((resolve) => {
      // The pool reads only these members.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const mail = { data: { signal: ending.signal }, message: composed } as unknown as PooledMail;
      pool.send(mail, (error, info) => {
        // Once all of it has been read, its end is on its way.
        const wasSent = content?.readableEnded === true;
        const facts = { wasSent, timeoutMs: ending.isLate ? limitMs : undefined, pauseMs: outages.pauseMs };
        resolve(error ? outcomeOf(readFailure(error, server), facts) : accepted(message, info?.rejectedErrors));
      });
    }).finally(() => {
      ending.close();
      underWay.delete(trying);
    });
    underWay.add(trying);
    const attempt = await trying;
    outages.note(attempt);
    if (attempt.outcome === "not sent" || attempt.outcome === "aborted") void slot.unused();
    else if (attempt.outcome === "unknown") void slot.lost();
    else void slot.answered({ status: statusOf(attempt) });
    return attempt;
  };

  const verify: SmtpTransport["verify"] = async () => {
    try {
      await pool.verify();
      return { ok: true, message: `${url} accepts the connection and the login.` };
    } catch (error) {
      const { message } = readFailure(error, server);
      const hint = "Check the host, the port and the login.";
      return { ok: false, message: `${url} can't be used: ${message}`, hint };
    }
  };

  return {
    url,
    deliver,
    verify,
    async probe() {
      if (!(await verify()).ok) return "none";
      return outages.mayRisk ? "sending" : "log";
    },
    async close() {
      await Promise.all(underWay);
      pool.close();
    },
  };
}

function accepted(
  { messageId }: OutgoingMessage,
  rejected:
    | readonly { readonly recipient?: string | undefined; readonly responseCode?: number | undefined }[]
    | undefined,
): Attempt {
  const refused = rejected?.map(({ recipient = "", responseCode = 0 }) => ({ email: recipient, code: responseCode }));
  return { outcome: "accepted", id: messageId, messageId, ...(refused && { refused }) };
}

/** Aborts a try when its time is over, or with the caller's signal. */
class Ending {
  isLate = false;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #abort = () => this.#controller.abort(this.own?.reason);

  constructor(
    limitMs: number,
    private readonly own: AbortSignal | undefined,
  ) {
    this.#timer = setTimeout(() => {
      this.isLate = true;
      this.#controller.abort();
    }, Math.ceil(limitMs));
    if (own?.aborted === true) this.#abort();
    own?.addEventListener("abort", this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.own?.removeEventListener("abort", this.#abort);
  }
}

/** Divides what it reads, so that the end of a message is only read when most of it has left. */
class Pieces extends Transform {
  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES)
      this.push(chunk.subarray(start, start + PIECE_BYTES));
    done();
  }
}

const PIECE_BYTES = 16 * 1024;

/** For the pace: the status with which the API would answer. */
function statusOf(attempt: Attempt): number {
  if (attempt.outcome === "accepted") return 200;
  return attempt.outcome === "held" && attempt.scope === "account" ? 429 : 400;
}

/**
 * Passwords and messages leave only after TLS with a verified certificate. A server on this machine may do without:
 * what is sent there does not leave the machine, and its certificate is usually self-signed.
 */
function connectionOptions(
  server: SmtpServer,
  allowInsecure: boolean | undefined,
  timeoutMs: number,
): ConstructorParameters<typeof SMTPPool>[0] & object {
  const { host, port, user, password, tls } = server;
  const isLocal = isLoopback(host.toLowerCase());
  return {
    host,
    port,
    secure: port === 465,
    requireTLS: !isLocal && allowInsecure !== true,
    ...(user !== undefined && password !== undefined && { auth: { user, pass: password }, forceAuth: true }),
    tls: {
      ...(tls?.ca !== undefined && { ca: Buffer.from(tls.ca) }),
      ...(tls?.servername !== undefined && { servername: tls.servername }),
      ...(isLocal && tls === undefined && { rejectUnauthorized: false }),
    },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    idleTimeout: IDLE_MS,
    // The pool repeats a message of which nothing has been read, because a reused connection was gone.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
