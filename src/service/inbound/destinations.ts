import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { ServiceContext } from "../context.js";
import { domainOf } from "../address.js";
import { isWebhook } from "../alias-fields.js";
import { HOSTNAME, outcomeOf } from "../delivery/deliveries.js";
import type { ForwardRecord, ReceivedRecord } from "../store/received.js";
import { forwardingHeaders } from "./messages.js";
import { asUnreadable, type Envelope, type Received, type Refusal, type SmtpResponse } from "./envelope.js";
import { openRelay } from "./relay.js";
import type { SenderRewriting } from "./srs.js";
import { postEmail } from "./webhook-post.js";

/** What came of an attempt. */
export interface DeliveryResult extends SmtpResponse {
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
  { relay: relayUrl, senders, receive, signal }: DestinationOptions,
): Destinations {
  const relay = relayUrl === undefined ? undefined : openRelay(relayUrl, signal);
  const isOwn = (destination: string): boolean => store.domains.findAnywhere(domainOf(destination)) !== undefined;
  const captureAtOnce: Destinations["captureAtOnce"] = (recipient, destination) => {
    if (relay || isWebhook(destination) || isOwn(destination)) return undefined;
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
    if (!relay) return capture(forward, settings.get().outcomes);
    const from = senders.rewrite(email.sender, domainOf(recipient), clock.now());
    return resultOf(await relay.send(from, destination, source()), relay.host);
  };
  return { deliver, captureAtOnce };
}

function resultOf(response: SmtpResponse, server: string): DeliveryResult {
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
