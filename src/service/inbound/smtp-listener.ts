import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { asError } from "../../errors.js";
import { PortUnavailableError } from "../errors.js";
import { HOSTNAME } from "../delivery/deliveries.js";
import { listenOnFirst, type Ports } from "../../process/listen.js";
import type { Certificate } from "./certificate.js";
import type { Envelope, Received, Reception, Refusal } from "./receive.js";
import { isRecipient, type Submission, type Submitter } from "./submit.js";

/** Maximum size of a message, in bytes, as announced by SIZE: 10 MB of attachments, in base64, and the bodies. */
export const MESSAGE_BYTES = 25 * 1024 * 1024;
const RECIPIENTS_MAX = 100;
/** An idle connection is closed after this time. */
const IDLE_MS = 60_000;
/** Maximum time for sessions to finish when the service stops. */
const GRACE_MS = 2_000;

export interface SmtpListener {
  readonly port: number;
  /** Stops listening, lets messages in progress finish, and closes every connection. */
  close(): Promise<void>;
}

interface SmtpOptions {
  readonly host: string;
  readonly ports: Ports;
  readonly certificate: Certificate;
  readonly reception: Reception;
  readonly submission: Submission;
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
  allowInsecureAuth,
  onError,
}: SmtpOptions): Promise<SmtpListener> {
  const server = new SMTPServer({
    name: HOSTNAME,
    banner: "lettershop",
    ...certificate,
    size: MESSAGE_BYTES,
    rejectOversized: true,
    maxRecipients: RECIPIENTS_MAX,
    socketTimeout: IDLE_MS,
    closeTimeout: GRACE_MS,
    disableReverseLookup: true,
    authOptional: true,
    allowInsecureAuth,
    hideDSN: true,
    hideREQUIRETLS: true,
    onAuth: ({ username = "", password }, { remoteAddress: client }, answer) => {
      submission.logIn({ username, client }, password ?? "").then(
        (result) => ("code" in result ? answer(smtpError(result)) : answer(null, { user: result })),
        (error: unknown) => answer(failure(error, onError)),
      );
    },
    onMailFrom: ({ address }, { user }: Session, answer) => {
      const refusal = user && submission.refusalOf(user, address);
      answer(refusal && smtpError(refusal));
    },
    onRcptTo: ({ address }, session: Session, answer) => {
      const refusal = session.user
        ? Promise.resolve(isRecipient(address) ? undefined : INVALID_RECIPIENT)
        : reception.refusalOf(senderOf(session), address);
      respond(refusal, answer, onError);
    },
    onData: (stream, session: Session, answer) => {
      const take = async (envelope: Envelope, source: Uint8Array | undefined) => {
        if (session.user) return source ? await submission.submit(session.user, envelope, source) : TOO_LARGE;
        return source ? await reception.receive(envelope, source) : await reception.refuse(envelope, TOO_LARGE);
      };
      respond(receive(stream, session, take), answer, onError);
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
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Emails of clients that have logged in are submitted; those of others are received. */
interface Session extends SMTPServerSession {
  readonly user?: Submitter;
}

const INVALID_RECIPIENT: Refusal = { code: 553, message: "5.1.3 The recipient's address is not valid" };
const TOO_LARGE: Refusal = { code: 552, message: `5.3.4 The message is larger than ${MESSAGE_BYTES} bytes` };

/** @param take Takes a message; without its source if that is too large. */
async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  take: (envelope: Envelope, source: Uint8Array | undefined) => Promise<Received | Refusal>,
): Promise<Refusal | undefined> {
  const source = await bytesOf(stream).catch(() => undefined);
  // The connection is gone.
  if (!source) return undefined;
  const { rcptTo } = session.envelope;
  const client = `${session.hostNameAppearsAs || "unknown"} ([${session.remoteAddress}])`;
  const recipients = rcptTo.map(({ address }) => address);
  const envelope = { sender: senderOf(session), recipients, client };
  const result = await take(envelope, stream.sizeExceeded ? undefined : source);
  return "code" in result ? result : undefined;
}

const FIRST_BYTES = 16 * 1024;

/**
 * The message, or what came of it before it became too large. The server emits a chunk for each line that starts with a
 * dot, so that keeping the chunks could take a hundred times the memory of the message.
 */
async function bytesOf(stream: SMTPServerDataStream): Promise<Buffer> {
  let bytes = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;
  for await (const chunk of stream) {
    if (stream.sizeExceeded) continue;
    const needed = length + chunk.length;
    if (needed > bytes.length) bytes = Buffer.concat([bytes], Math.max(needed, 2 * bytes.length));
    chunk.copy(bytes, length);
    length = needed;
  }
  // A copy, because the parsing thread gets a view's whole buffer.
  return Buffer.from(bytes.subarray(0, length));
}

function senderOf({ envelope: { mailFrom } }: SMTPServerSession): string {
  return mailFrom === false ? "" : mailFrom.address;
}

type Answer = (error?: Error | null) => void;

/** Answers 250, or with the refusal. */
function respond(result: Promise<Refusal | undefined>, answer: Answer, onError: (error: Error) => void): void {
  result.then(
    (refusal) => answer(refusal && smtpError(refusal)),
    (error: unknown) => answer(failure(error, onError)),
  );
}

function failure(error: unknown, onError: (error: Error) => void): Error {
  onError(asError(error));
  return smtpError({ code: 451, message: "4.3.0 The service failed. Try again later" });
}

function smtpError({ code, message }: Refusal): Error {
  return Object.assign(new Error(message), { responseCode: code });
}
