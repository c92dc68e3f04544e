import SMTPPool from "nodemailer/lib/smtp-pool";
import { type Readable, Transform, type TransformCallback } from "node:stream";
import type { RequestSlot } from "../api/calls/policy.js";
import { type Backoff, backoff } from "../api/calls/timing.js";
import { isLoopback } from "../api/local.js";
import type { SmtpServer } from "../project/smtp-server.js";
import { anySignal } from "../send/any-signal.js";
import type { Attempt, OutgoingMessage, SmtpTransport, SmtpTransportOptions } from "../send/delivery/transport.js";
import { composeMessage } from "./compose.js";
import { outcomeOf, readFailure } from "./outcome.js";

type PooledMail = Parameters<SMTPPool["send"]>[0];

/** Connections that send at the same time. */
const CONNECTIONS = 5;
/** An idle connection is closed after this time, so that it does not keep a process alive for long. */
const IDLE_MS = 10_000;
/** After responses that accept nothing for now. */
const PAUSE: Backoff = { firstMs: 1_000, longestMs: 60_000 };
/** Shorter than for the API, because only a message can show that an SMTP server accepts messages again. */
const RISK: Backoff = { firstMs: 30_000, longestMs: 30 * 60_000 };

/** Sends by SMTP, over connections that are reused. */
export function openSmtp({ server, domain, allowInsecure, timeoutMs, clock }: SmtpTransportOptions): SmtpTransport {
  const { url } = server;
  const pool = new SMTPPool({ ...connectionOptions(server, allowInsecure, timeoutMs), maxConnections: CONNECTIONS });
  /** Pauses in a row, because the server accepted nothing. */
  let pauses = 0;
  const underWay = new Set<Promise<unknown>>();

  const deliver: SmtpTransport["deliver"] = async (message, { slot, timeoutMs: limitMs, signal }) => {
    const pausesBefore = pauses;
    // Tries that are refused at the same time cause one pause.
    const nextPause = () => Math.min(pauses, pausesBefore) + 1;
    const composed = composeMessage(message, domain, new Date(clock.time()));
    if (message.email.attachments !== undefined) composed.transform(() => new Pieces());
    let content: Readable | undefined;
    const read = composed.createReadStream.bind(composed);
    composed.createReadStream = (options) => (content = read(options));
    const ending = anySignal(signal === undefined ? [] : [signal]);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      ending.abort();
    }, Math.ceil(limitMs));
    const trying = new Promise<Attempt>((resolve) => {
      // The pool reads only these members.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const mail = { data: { signal: ending.signal }, message: composed } as unknown as PooledMail;
      pool.send(mail, (error, info) => {
        // Once all of it has been read, its end is on its way.
        const wasSent = content?.readableEnded === true;
        const facts = {
          wasSent,
          timeoutMs: isLate ? limitMs : undefined,
          pauseMs: backoff(nextPause(), PAUSE),
        };
        resolve(error ? outcomeOf(readFailure(error, server), facts) : accepted(message, info?.rejectedErrors));
      });
    }).finally(() => {
      clearTimeout(timer);
      ending.detach();
      underWay.delete(trying);
    });
    underWay.add(trying);
    const attempt = await trying;
    if (attempt.outcome === "held") pauses = nextPause();
    else if (attempt.outcome === "accepted" || attempt.outcome === "rejected") pauses = 0;
    settle(slot, attempt);
    return attempt;
  };

  const verify: SmtpTransport["verify"] = async () => {
    try {
      await pool.verify();
      return { ok: true, message: `${url} accepts the connection and the login.` };
    } catch (error) {
      const { message, hint = "Check the host, the port and the login." } = readFailure(error, server);
      return { ok: false, message: `${url} can't be used: ${message}`, hint };
    }
  };

  return {
    url,
    risk: RISK,
    deliver,
    verify,
    /** A login shows that the server works, but not that it accepts messages. */
    probe: async () => ((await verify()).ok ? "log" : "none"),
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

/** Divides what it reads, so that the end of a message is only read when most of it has left. */
class Pieces extends Transform {
  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES)
      this.push(chunk.subarray(start, start + PIECE_BYTES));
    done();
  }
}

const PIECE_BYTES = 16 * 1024;

/** Tells the pace what became of a request: a response counts as the API's with the same meaning. */
function settle(slot: RequestSlot, { outcome }: Attempt): void {
  if (outcome === "not sent" || outcome === "aborted") void slot.unused();
  else if (outcome === "unknown") void slot.lost();
  else void slot.answered({ status: outcome === "accepted" ? 200 : outcome === "held" ? 429 : 400 });
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
    // Includes the greeting and STARTTLS. Shorter than a try, because its error tells which of them took too long.
    connectionTimeout: timeoutMs * 0.9,
    socketTimeout: timeoutMs,
    idleTimeout: IDLE_MS,
    // The pool repeats a message of which nothing has been read, because a reused connection was gone.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
