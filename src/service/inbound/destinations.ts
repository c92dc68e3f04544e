import { createTransport } from "nodemailer";
import { z } from "zod";
import { isLoopback } from "../../api/local.js";
import { ConfigurationError } from "../../errors.js";
import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { ServiceContext } from "../context.js";
import { domainOf } from "../address.js";
import { isWebhook } from "../alias-fields.js";
import { HOSTNAME, outcomeOf } from "../delivery/deliveries.js";
import { isSuccess, postJson, TIMEOUT_MS } from "../delivery/webhooks.js";
import type { MailReader } from "../mail/mail-reader.js";
import type { ForwardRecord, ReceivedRecord } from "../store/received.js";
import { forwardingHeaders } from "./messages.js";
import { asUnreadable, type Received, type Refusal, type Envelope } from "./receive.js";
import { receivedEmailBody } from "./received-email.js";
import type { SenderRewriting } from "./srs.js";
import { signatureHeaders } from "./webhook-signature.js";

/** What happened to one try, with codes and messages as SMTP servers use them. */
export interface DeliveryResult {
  readonly status: LogStatus;
  readonly code: number;
  readonly message: string;
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
      return await post(forward, email, { secret, signal, reader });
    }
    const source = () =>
      isNotice ? email.source : Buffer.concat([forwardingHeaders(recipient, destination), email.source]);
    if (isOwn(destination)) {
      const { sender, originSeq } = email;
      const result = await receive({ sender, recipients: [destination], client: HOSTNAME, originSeq }, source());
      return "ids" in result ? delivered(HOSTNAME, `Accepted for ${destination}`) : refused(result, HOSTNAME);
    }
    if (!send) return capture(forward, settings.get().outcomes);
    return await send(senders.rewrite(email.sender, domainOf(recipient), clock.now()), destination, source());
  };
  return { deliver, captureAtOnce };
}

function delivered(server: string, message: string): DeliveryResult {
  return { status: "DELIVERED", code: 250, message: `2.0.0 ${message}`, server };
}

function refused({ code, message }: Refusal, server: string): DeliveryResult {
  return { status: code >= 500 ? "HARD-BOUNCE" : "SOFT-BOUNCE", code, message, server };
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
      return refused({ code: 550, message: "5.1.1 User unknown" }, server);
    case "refused":
      return refused({ code: 554, message: "5.7.1 Connection refused by policy" }, server);
    case "bounced":
      return { status: "BOUNCED", code: 554, message: "5.0.0 Delivery failed", server };
    case "queued":
      return refused({ code: 451, message: "4.3.0 No answer" }, server);
    case "soft-bounce":
      if (attempts < 2) return refused({ code: 451, message: "4.7.1 Greylisted, try again later" }, server);
      break;
    case "delivered":
      break;
  }
  const captured = isNotice ? new Uint8Array() : forwardingHeaders(recipient, destination);
  return { ...delivered(server, "Captured: nothing leaves this machine"), captured };
}

const SECOND_MS = 1_000;

/**
 * Posts an email to a webhook, signed as in Standard Webhooks (standardwebhooks.com), whose libraries verify it. 2xx
 * means delivered, 4xx refused for good; after anything else it is posted again, with the same `webhook-id`.
 */
async function post(
  forward: ForwardRecord,
  email: ReceivedRecord,
  { secret, signal, reader }: { readonly secret: string; readonly signal: AbortSignal; readonly reader: MailReader },
): Promise<DeliveryResult> {
  const { destination, id } = forward;
  const { host, hash } = new URL(destination);
  const parsed = await reader.read(email.source).catch(asUnreadable);
  if ("code" in parsed) return refused(parsed, host);
  const body = JSON.stringify(receivedEmailBody(forward, email, parsed, hash === "#raw"));
  // By the machine's clock, to which receivers compare it, even if a test moved the service's.
  const headers = signatureHeaders(secret, { id, timestamp: Math.floor(Date.now() / SECOND_MS), body });
  try {
    const status = await postJson(destination, body, headers, signal);
    const message = `The webhook responded with ${status}`;
    if (isSuccess(status)) return delivered(host, message);
    const isFinal = status >= 400 && status < 500;
    return refused(
      isFinal ? { code: 554, message: `5.0.0 ${message}` } : { code: 451, message: `4.0.0 ${message}` },
      host,
    );
  } catch (error) {
    signal.throwIfAborted();
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const reason = isLate ? `did not respond within ${TIMEOUT_MS / SECOND_MS} s` : "can't be reached";
    return refused({ code: 451, message: `4.4.1 The webhook ${reason}` }, host);
  }
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
  const transport = createTransport({
    url,
    pool: true,
    ...(isLoopback(hostname.toLowerCase()) && { tls: { rejectUnauthorized: false } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    ...RELAY_TIMEOUTS,
  });
  signal.addEventListener("abort", () => transport.close(), { once: true });
  return async (from, to, source) => {
    try {
      const { response } = await transport.sendMail({ envelope: { from, to }, raw: Buffer.from(source) });
      return { status: "DELIVERED", code: Number(response.slice(0, 3)) || 250, message: textOf(response), server };
    } catch (error) {
      signal.throwIfAborted();
      return refused(refusalOf(relayErrorSchema.parse(error)), server);
    }
  };
}

/** Only what the server says about the sender, the recipient or the message can be final. */
function refusalOf({ code, message, responseCode = 554, response }: z.infer<typeof relayErrorSchema>): Refusal {
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
