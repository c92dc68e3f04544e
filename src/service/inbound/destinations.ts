import { createHmac } from "node:crypto";
import { createTransport } from "nodemailer";
import { z } from "zod";
import { ConfigurationError } from "../../errors.js";
import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { ServiceContext } from "../context.js";
import { HOSTNAME, outcomeOf } from "../delivery/deliveries.js";
import { isSuccess, postJson, TIMEOUT_MS } from "../delivery/webhooks.js";
import type { MailReader, ParsedEmail } from "../mail/mail-reader.js";
import type { ForwardRecord, ReceivedRecord } from "../store/received.js";
import { forwardingHeaders } from "./messages.js";
import type { Received, Refusal, Envelope } from "./receive.js";
import type { SenderRewriting } from "./srs.js";

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

/** Tries to deliver an email. Never fails for what a destination does. */
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
      return await post(forward, email, { secret, signal, reader, now: clock.now() });
    }
    const source = () =>
      isNotice ? email.source : Buffer.concat([forwardingHeaders(recipient, destination), email.source]);
    if (isOwn(destination)) {
      const result = await receive({ sender: email.sender, recipients: [destination], client: HOSTNAME }, source());
      return "ids" in result ? delivered(HOSTNAME, `Accepted for ${destination}`) : refused(result, HOSTNAME);
    }
    if (!send) return capture(forward, settings.get().outcomes);
    return await send(senders.rewrite(email.sender, domainOf(recipient), clock.now()), destination, source());
  };
  return { deliver, captureAtOnce };
}

export function isWebhook(destination: string): boolean {
  return /^https?:/i.test(destination);
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
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
  {
    secret,
    signal,
    reader,
    now,
  }: { readonly secret: string; readonly signal: AbortSignal; readonly reader: MailReader; readonly now: number },
): Promise<DeliveryResult> {
  const { destination, id } = forward;
  const { host, hash } = new URL(destination);
  const body = JSON.stringify(webhookBody(forward, email, await reader.read(email.source), hash === "#raw"));
  const time = Math.floor(now / SECOND_MS);
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  const headers = { "webhook-id": id, "webhook-timestamp": String(time), "webhook-signature": `v1,${signature}` };
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
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const reason = isLate ? `did not respond within ${TIMEOUT_MS / SECOND_MS} s` : "can't be reached";
    return refused({ code: 451, message: `4.4.1 The webhook ${reason}` }, host);
  }
}

/** The body of a post to a webhook. Lists are in the order of the email. */
export interface ReceivedEmailBody {
  /** The same for each try of one delivery. */
  readonly id: string;
  readonly envelope: { readonly sender: string; readonly recipient: string };
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly message_id: string | null;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly {
    readonly filename: string;
    readonly content_type: string;
    readonly content_id: string | null;
    /** Base64. */
    readonly content: string;
  }[];
  /** The whole message in RFC 5322 format, as base64. Only if the webhook's URL ends with `#raw`. */
  readonly raw?: string;
}

function webhookBody(
  { id, recipient }: ForwardRecord,
  { sender, source }: ReceivedRecord,
  { headers, messageId, subject, text, html, attachments }: ParsedEmail,
  isRaw: boolean,
): ReceivedEmailBody {
  return {
    id,
    envelope: { sender, recipient },
    headers,
    message_id: messageId ?? null,
    subject,
    text: text ?? null,
    html: html ?? null,
    attachments: attachments.map(({ filename, contentType, contentId = null, content }) => ({
      filename,
      content_type: contentType,
      content_id: contentId,
      content: Buffer.from(content).toString("base64"),
    })),
    ...(isRaw && { raw: Buffer.from(source).toString("base64") }),
  };
}

/** @throws ConfigurationError if the URL of a relay is not one. */
export function requireRelay(relay: string): void {
  if (/^smtps?:$/.test(URL.parse(relay)?.protocol ?? "")) return;
  // It is not quoted, because it may contain a password.
  throw new ConfigurationError("The relay is not the URL of an SMTP server.", {
    hint: "Write it as in smtp://user:password@mail.example.com:587, with smtps:// for TLS from the start.",
  });
}

/** What nodemailer adds to an error if the server answered. */
const answerSchema = z.object({ responseCode: z.int(), response: z.string() });

/** Sends through another SMTP server, over connections that are reused. */
function relaying(
  url: string,
  signal: AbortSignal,
): (sender: string, recipient: string, source: Uint8Array) => Promise<DeliveryResult> {
  const transport = createTransport({ url, pool: true, disableFileAccess: true, disableUrlAccess: true });
  const server = new URL(url).host;
  signal.addEventListener("abort", () => transport.close(), { once: true });
  return async (from, to, source) => {
    try {
      const { response } = await transport.sendMail({ envelope: { from, to }, raw: Buffer.from(source) });
      return { status: "DELIVERED", code: Number(response.slice(0, 3)) || 250, message: response.slice(4), server };
    } catch (error) {
      const answer = answerSchema.safeParse(error).data;
      if (!answer) return refused({ code: 451, message: "4.4.1 The relay can't be reached" }, server);
      return refused({ code: answer.responseCode, message: answer.response.slice(4) }, server);
    }
  };
}
