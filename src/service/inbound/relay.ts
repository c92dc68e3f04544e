import MailComposer from "nodemailer/lib/mail-composer";
import SMTPPool from "nodemailer/lib/smtp-pool";
import { z } from "zod";
import { isLoopback } from "../../api/local.js";
import { ConfigurationError } from "../../errors.js";
import type { SmtpResponse } from "./envelope.js";

/** @throws ConfigurationError if the URL of a relay is not one. */
export function requireRelay(relay: string): void {
  const { protocol = "", hostname = "" } = URL.parse(relay) ?? {};
  if (/^smtps?:$/.test(protocol) && hostname !== "") return;
  // It is not quoted, because it may contain a password.
  throw new ConfigurationError("The relay is not the URL of an SMTP server.", {
    hint: "Write it as in smtp://user:password@mail.example.com:587, with smtps:// for TLS from the start.",
  });
}

/** An error of nodemailer. It has a response if the server answered. */
const relayErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  responseCode: z.int().optional(),
  response: z.string().optional(),
});

/** Timeouts in ms of the machine's time. A server that does not answer would hold up other deliveries. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 30_000, socketTimeout: 60_000 };
/** Time in ms for messages that are being sent when the service stops: one that is cut off is sent again later. */
const GRACE_MS = 2_000;

/** Another SMTP server, which delivers emails to other domains. */
export interface Relay {
  readonly host: string;
  send(sender: string, recipient: string, source: Uint8Array): Promise<SmtpResponse>;
}

/**
 * Sends through another SMTP server, over connections that are reused. It gets a password only after TLS with a verified
 * certificate. One on this machine may do without, because nothing leaves the machine on the way to it.
 *
 * @param signal Aborted when the service stops.
 */
export function openRelay(url: string, signal: AbortSignal): Relay {
  const { host, hostname, username } = new URL(url);
  const tls = isLoopback(hostname.toLowerCase())
    ? { tls: { rejectUnauthorized: false } }
    : { requireTLS: username !== "" };
  const pool = new SMTPPool({ url, ...tls, ...TIMEOUTS });
  const close = (): void => {
    pool.close();
    setTimeout(() => pool.close({ force: true }), GRACE_MS).unref();
  };
  signal.addEventListener("abort", close, { once: true });
  async function send(from: string, to: string, source: Uint8Array): Promise<SmtpResponse> {
    const message = new MailComposer({
      envelope: { from, to },
      raw: Buffer.from(source.buffer, source.byteOffset, source.byteLength),
    }).compile();
    try {
      const response = await new Promise<string>((resolve, reject) => {
        // The pool reads only these members.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const mail = { data: {}, message } as unknown as Parameters<SMTPPool["send"]>[0];
        pool.send(mail, (error, info) => (info === undefined ? reject(error ?? undefined) : resolve(info.response)));
      });
      return { code: Number(response.slice(0, 3)) || 250, message: textOf(response) };
    } catch (error) {
      signal.throwIfAborted();
      return failureOf(relayErrorSchema.parse(error));
    }
  }
  return { host, send };
}

/** Only what the server says about the sender, the recipient or the message can be final. */
function failureOf({ code, message, responseCode = 554, response }: z.infer<typeof relayErrorSchema>): SmtpResponse {
  // The response may repeat the login.
  if (code === "EAUTH") return { code: 451, message: "4.7.0 The relay does not accept the login of its URL" };
  if (code !== "EENVELOPE" && code !== "EMESSAGE")
    return { code: 451, message: `4.4.1 The relay can't be reached: ${message}` };
  return { code: responseCode, message: response === undefined ? `5.6.0 ${message}` : textOf(response) };
}

const RESPONSE_MAX = 500;

/** The text of a response in one line, without its codes. */
function textOf(response: string): string {
  const lines = response.split(/\r?\n/).map((line) => line.slice(4));
  return lines.join(" ").slice(0, RESPONSE_MAX);
}
