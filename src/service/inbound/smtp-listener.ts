import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { asError } from "../../errors.js";
import { isEmailAddress } from "../address.js";
import { PortUnavailableError } from "../errors.js";
import { HOSTNAME } from "../delivery/deliveries.js";
import { listenOnFirst, type Ports } from "../../process/listen.js";
import { ArrivingMessage } from "./arriving-message.js";
import type { Certificate } from "./certificate.js";
import { type Envelope, MESSAGE_BYTES, type Received, type Refusal, TOO_LARGE } from "./envelope.js";
import { isLarge, LargeMessages } from "./large-messages.js";
import type { Reception } from "./receive.js";
import type { Submission, Submitter } from "./submit.js";

const RECIPIENTS_MAX = 100;
/** Maximum number of connections at once. */
const CONNECTIONS_MAX = 500;
/** An idle connection is closed after this time. */
const IDLE_MS = 60_000;
/** Maximum time for sending a message, because a client that sends a byte a second is never idle. */
const MESSAGE_MS = 10 * 60_000;
/** Maximum time for sessions to finish when the service stops. */
const GRACE_MS = 2_000;

export interface SmtpListener {
  readonly port: number;
  /**
   * Stops listening, lets messages in progress finish for a moment, and closes every connection. Messages that are
   * still being routed then fail before their next pattern.
   */
  close(): Promise<void>;
}

export interface SmtpOptions {
  readonly host: string;
  readonly ports: Ports;
  readonly certificate: Certificate;
  readonly reception: Reception;
  readonly submission: Submission;
  /** Where large messages are stored while they arrive. */
  readonly folder: string;
  /** Whether clients may log in without TLS. */
  readonly allowInsecureAuth: boolean;
  readonly onError: (error: Error) => void;
}

/**
 * Listens for SMTP. A message is answered with 250 when it is on the disk.
 *
 * @throws PortUnavailableError if no port is available.
 */
export async function listenSmtp({
  host,
  ports,
  certificate,
  reception,
  submission,
  folder,
  allowInsecureAuth,
  onError,
}: SmtpOptions): Promise<SmtpListener> {
  const large = new LargeMessages();
  const closing = new AbortController();
  const { signal } = closing;
  /** Responses that clients wait for. */
  const pending = new Set<Promise<unknown>>();
  const failed = (error: unknown): Error => {
    if (error !== signal.reason) onError(asError(error));
    return smtpError({ code: 451, message: "4.3.0 The service failed. Try again later" });
  };
  /** Answers 250, or with the refusal. */
  const respond = (decide: () => Promise<Refusal | undefined> | Refusal | undefined, answer: Answer): void => {
    const decided = (async () => await decide())().finally(() => pending.delete(decided));
    pending.add(decided);
    decided.then(
      (refusal) => answer(refusal && smtpError(refusal)),
      (error: unknown) => answer(failed(error)),
    );
  };
  const server = new SMTPServer({
    name: HOSTNAME,
    banner: "lettershop",
    ...certificate,
    size: MESSAGE_BYTES,
    rejectOversized: true,
    maxRecipients: RECIPIENTS_MAX,
    maxClients: CONNECTIONS_MAX,
    socketTimeout: IDLE_MS,
    closeTimeout: GRACE_MS,
    disableReverseLookup: true,
    authOptional: true,
    allowInsecureAuth,
    hideDSN: true,
    hideREQUIRETLS: true,
    onAuth: ({ username, password }, { remoteAddress: client }, answer) => {
      submission.logIn({ username: username ?? "", password: password ?? "", client }).then(
        (result) => ("code" in result ? answer(smtpError(result)) : answer(null, { user: result })),
        (error: unknown) => answer(failed(error)),
      );
    },
    onMailFrom: ({ address }, { user }: Session, answer) => {
      respond(() => user && submission.refusalOf(user, address), answer);
    },
    onRcptTo: ({ address }, session: Session, answer) => {
      const refusal = () => {
        if (session.user) return isEmailAddress(address) ? undefined : INVALID_RECIPIENT;
        return reception.refusalOf(senderOf(session), address, signal);
      };
      respond(refusal, answer);
    },
    onData: (stream, session: Session, answer) => {
      const take = async (envelope: Envelope, source: Uint8Array | undefined) => {
        if (session.user) return source ? await submission.submit(session.user, envelope, source) : TOO_LARGE;
        return source ? await reception.receive(envelope, source, signal) : await reception.refuse(envelope, TOO_LARGE);
      };
      respond(() => receive(stream, session, folder, large, take), answer);
    },
  });
  server.on("error", (error) => {
    // Connections that break are the clients' concern; before it listens, a port that is in use is not the last one.
    if (!("remoteAddress" in error) && server.server.listening) onError(error);
  });
  const port = await listenOnFirst(
    server.server,
    host,
    ports,
    (last, cause) => new PortUnavailableError(host, last, { cause }),
  );
  return {
    port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Clients keep connections open for later emails.
      for (const connection of server.connections) if (!isSending(connection)) connection.send(421, "Shutting down");
      await closed;
      closing.abort();
      await Promise.allSettled(pending);
    },
  };
}

function isSending({ session }: { readonly session: Partial<SMTPServerSession> }): boolean {
  return session.envelope !== undefined && session.envelope.mailFrom !== false;
}

/** Emails of clients that have logged in are submitted; those of others are received. */
interface Session extends SMTPServerSession {
  readonly user?: Submitter;
}

const INVALID_RECIPIENT: Refusal = { code: 553, message: "5.1.3 The recipient's address is not valid" };
const CUT: Refusal = { code: 421, message: "4.4.2 The message was not sent in time" };

/** @param take Takes a message; without its source if that is too large. The source is only valid until it resolves. */
async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  folder: string,
  large: LargeMessages,
  take: (envelope: Envelope, source: Uint8Array | undefined) => Promise<Received | Refusal>,
): Promise<Refusal | undefined> {
  const timeout = setTimeout(() => stream.destroy(), MESSAGE_MS);
  const message = new ArrivingMessage(folder);
  let leave: (() => void) | undefined;
  try {
    for await (const chunk of stream) if (!stream.sizeExceeded) await message.append(chunk);
    clearTimeout(timeout);
    if (isLarge(message.length)) leave = await large.enter();
    const source = stream.sizeExceeded ? undefined : await message.read();
    const { rcptTo } = session.envelope;
    const client = `${session.hostNameAppearsAs || "unknown"} ([${session.remoteAddress}])`;
    const recipients = rcptTo.map(({ address }) => address);
    const result = await take({ sender: senderOf(session), recipients, client }, source);
    return "code" in result ? result : undefined;
  } catch (error) {
    // The connection is gone, or the client is too slow.
    if (stream.destroyed && !stream.readableEnded) return CUT;
    throw error;
  } finally {
    clearTimeout(timeout);
    leave?.();
    await message.close();
  }
}

function senderOf({ envelope: { mailFrom } }: SMTPServerSession): string {
  return mailFrom === false ? "" : mailFrom.address;
}

type Answer = (error?: Error | null) => void;

function smtpError({ code, message }: Refusal): Error {
  return Object.assign(new Error(message), { responseCode: code });
}
