import MailComposer from "nodemailer/lib/mail-composer";
import SMTPPool from "nodemailer/lib/smtp-pool";
import { z } from "zod";
import { isLoopback } from "../../api/local.js";
import { ConfigurationError } from "../../errors.js";
import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { ServiceContext } from "../context.js";
import { domainOf } from "../address.js";
import { isWebhook } from "../alias-fields.js";
import { HOSTNAME, outcomeOf } from "../delivery/deliveries.js";
import type { ForwardRecord, ReceivedRecord } from "../store/received.js";
import { forwardingHeaders } from "./messages.js";
import { asUnreadable, type Received, type Refusal, type Envelope } from "./envelope.js";
import type { SenderRewriting } from "./srs.js";
import { postEmail } from "./webhook-post.js";

/** The response to an attempt, as of an SMTP server. */
export interface DeliveryResponse {
  readonly code: number;
  /** Begins with an enhanced status code (RFC 3463) if the server uses them. */
  readonly message: string;
}

/** What came of an attempt. */
export interface DeliveryResult extends DeliveryResponse {
  readonly status: LogStatus;
  /** The host that answered. */
  readonly server: string;
  /** If the message stays on this machine: the headers that come before those of the received one. */
  readonly captured?: Uint8Array;
}

/** Tries to deliver an email. Fails only if the service stops or has a defect, never for what a destination does. */
export type Deliver = (forward: ForwardRecord, email: ReceivedRecord) => Promise<DeliveryResult>;

export interface Destinations {
  readonly deliver: Deliver;
  /** The result for an address, if it only takes capturing the message. */
  readonly captureAtOnce: (recipient: string, destination: string) => DeliveryResult | undefined;
}

export interface DestinationOptions {
  /** `smtp://` or `smtps://` URL of a server that takes emails to other domains. Without one, they are captured. */
  readonly relay: string | undefined;
  readonly senders: SenderRewriting;
  /** Receives what is forwarded to one of the service's own domains. */
  readonly receive: (envelope: Envelope, source: Uint8Array) => Promise<Received | Refusal>;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
}

/** Delivers to webhooks, to the service's own domains, through the relay, or by capturing. */
export function destinations(
  { store, clock, settings, reader }: Pick<ServiceContext, "store" | "clock" | "settings" | "reader">,
  { relay, senders, receive, signal }: DestinationOptions,
): Destinations {
  const send = relay === undefined ? undefined : relaying(relay, signal);
  const isOwn = (destination: string): boolean => store.domains.findAnywhere(domainOf(destination)) !== undefined;
  const captureAtOnce: Destinations["captureAtOnce"] = (recipient, destination) => {
    if (send || isWebhook(destination) || isOwn(destination)) return undefined;
    const result = capture({ recipient, destination, attempts: 0, isNotice: false }, settings.get().outcomes);
    return result.captured && result;
  };
  const deliver: Deliver = async (forward, email) => {
    const { destination, recipient, isNotice } = forward;
    if (isWebhook(destination)) {
      const secret = store.accounts.ofDomain(forward.domainId)?.profile.webhook_secret ?? "";
      const parsed = await reader.read(email.source).catch(asUnreadable);
      const response = "code" in parsed ? parsed : await postEmail(forward, email, parsed, secret, signal);
      return resultOf(response, new URL(destination).host);
    }
    const source = () =>
      isNotice ? email.source : Buffer.concat([forwardingHeaders(recipient, destination), email.source]);
    if (isOwn(destination)) {
      const { sender, originSeq } = email;
      const result = await receive({ sender, recipients: [destination], client: HOSTNAME, originSeq }, source());
      return resultOf("ids" in result ? { code: 250, message: `2.0.0 Accepted for ${destination}` } : result, HOSTNAME);
    }
    if (!send) return capture(forward, settings.get().outcomes);
    return await send(senders.rewrite(email.sender, domainOf(recipient), clock.now()), destination, source());
  };
  return { deliver, captureAtOnce };
}

function resultOf(response: DeliveryResponse, server: string): DeliveryResult {
  const failure = response.code >= 500 ? "HARD-BOUNCE" : "SOFT-BOUNCE";
  return { ...response, status: response.code < 300 ? "DELIVERED" : failure, server };
}

/** The address or the settings can ask for a failure; otherwise the message is captured. */
function capture(
  {
    recipient,
    destination,
    attempts,
    isNotice,
  }: Pick<ForwardRecord, "recipient" | "destination" | "attempts" | "isNotice">,
  outcomes: Parameters<typeof outcomeOf>[1],
): DeliveryResult {
  const server = domainOf(destination);
  switch (outcomeOf(destination, outcomes)) {
    case "hard-bounce":
      return resultOf({ code: 550, message: "5.1.1 User unknown" }, server);
    case "refused":
      return resultOf({ code: 554, message: "5.7.1 Connection refused by policy" }, server);
    case "bounced":
      return { status: "BOUNCED", code: 554, message: "5.0.0 Delivery failed", server };
    case "queued":
      return resultOf({ code: 451, message: "4.3.0 No answer" }, server);
    case "soft-bounce":
      if (attempts < 2) return resultOf({ code: 451, message: "4.7.1 Greylisted, try again later" }, server);
      break;
    case "delivered":
      break;
  }
  const captured = isNotice ? new Uint8Array() : forwardingHeaders(recipient, destination);
  return { ...resultOf({ code: 250, message: "2.0.0 Captured: nothing leaves this machine" }, server), captured };
}

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
const RELAY_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 30_000, socketTimeout: 60_000 };

/**
 * Sends through another SMTP server, over connections that are reused. The certificate of one on this machine is not
 * verified: it is usually self-signed, and nothing leaves the machine on the way to it.
 */
function relaying(
  url: string,
  signal: AbortSignal,
): (sender: string, recipient: string, source: Uint8Array) => Promise<DeliveryResult> {
  const { host: server, hostname } = new URL(url);
  // The certificate of a server on this machine is usually self-signed.
  const tls = isLoopback(hostname.toLowerCase()) ? { tls: { rejectUnauthorized: false } } : {};
  const pool = new SMTPPool({ url, ...tls, ...RELAY_TIMEOUTS });
  signal.addEventListener("abort", () => pool.close(), { once: true });
  return async (from, to, source) => {
    const message = new MailComposer({ envelope: { from, to }, raw: Buffer.from(source) }).compile();
    try {
      const response = await new Promise<string>((resolve, reject) => {
        // The pool reads only these members.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const mail = { data: {}, message } as unknown as Parameters<SMTPPool["send"]>[0];
        pool.send(mail, (error, info) => (info === undefined ? reject(error ?? undefined) : resolve(info.response)));
      });
      return { status: "DELIVERED", code: Number(response.slice(0, 3)) || 250, message: textOf(response), server };
    } catch (error) {
      signal.throwIfAborted();
      return resultOf(failureOf(relayErrorSchema.parse(error)), server);
    }
  };
}

/** Only what the server says about the sender, the recipient or the message can be final. */
function failureOf({
  code,
  message,
  responseCode = 554,
  response,
}: z.infer<typeof relayErrorSchema>): DeliveryResponse {
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
