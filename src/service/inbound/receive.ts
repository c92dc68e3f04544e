import { queuedMessage, toDestination } from "../../api/local.js";
import { countReceived, mayReceive } from "../account.js";
import { domainOf, localPartOf } from "../address.js";
import { destinationsOf, isWebhook } from "../alias-fields.js";
import type { ServiceContext } from "../context.js";
import { HOSTNAME } from "../delivery/deliveries.js";
import { newEventId, newLogId, newMessageId } from "../ids.js";
import { limitedMatch, type Match } from "../patterns/patterns.js";
import type { AccountRecord } from "../store/accounts.js";
import type { DomainRecord } from "../store/domains.js";
import type { LogEventRecord, NewLogEntry } from "../store/log-rows.js";
import type { DeliveryResult, Destinations } from "./destinations.js";
import { asUnreadable, type Envelope, type Received, type Refusal } from "./envelope.js";
import { headerLines, notifySender } from "./messages.js";
import { type ReceivedEmail, summarize } from "./received-email.js";
import { type Routing, route } from "./routing.js";
import type { SenderRewriting } from "./srs.js";

/** A recipient at one of the service's domains. */
interface Recipient {
  readonly address: string;
  readonly domain: DomainRecord;
  readonly account: AccountRecord;
}

type Routed = Recipient & ({ readonly routing: Required<Routing> } | { readonly refusal: Refusal });

/**
 * The special characters of RFC 5322. A bounce to a sender with a comma or a colon would go to a list or a webhook, and
 * quotes get lost when the address is part of a rewritten one.
 */
const SPECIAL = /[()<>[\]:;@\\,"]/;
const BAD_SENDER: Refusal = {
  code: 553,
  message: "5.1.7 The sender's address has a special character before the @, such as a quote, a comma or a colon",
};
const LOOP: Refusal = { code: 554, message: "5.4.6 Routing loop: the email has been here before" };

/** An email can no longer be accepted: while it was read and routed, others arrived or a domain was deleted. */
class RefusedLateError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

type ReceptionContext = Pick<ServiceContext, "store" | "clock" | "patterns" | "reader" | "webhooks" | "filing"> & {
  readonly senders: SenderRewriting;
  readonly captureAtOnce: Destinations["captureAtOnce"];
  /** Called when there is something to forward. */
  readonly onForward: () => void;
};

/** Runs tasks with the same key one after the other, and those with different keys at once. */
class Turns<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  /** Runs a task after the earlier ones with its key, whether they succeed or fail. */
  async take<Result>(key: Key, task: () => Promise<Result>): Promise<Result> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(task);
    const end = turn.catch(() => undefined);
    this.#last.set(key, end);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === end) this.#last.delete(key);
    }
  }
}

/**
 * Receives emails to the service's domains. For each recipient, the log has an entry with transport `mx`: refused, or
 * queued with a delivery for each destination.
 */
export class Reception {
  readonly #context;
  readonly #turns = new Turns<number>();

  constructor(context: ReceptionContext) {
    this.#context = context;
  }

  /**
   * Why emails to an address are refused, as far as that is known before the email arrives. It is logged.
   *
   * @param signal As for `receive`.
   */
  async refusalOf(sender: string, address: string, signal: AbortSignal): Promise<Refusal | undefined> {
    const recipient = this.#find(address);
    if (!recipient) return relayDenied(address);
    const routed = await this.#route(sender, recipient, undefined, limitedMatch(this.#context.patterns, signal));
    if ("routing" in routed) return undefined;
    await this.#logRefused([routed], sender, undefined);
    return routed.refusal;
  }

  /**
   * Receives an email. Resolves when it is on the disk. It is refused if no recipient accepts it; if only some do, the
   * sender gets a bounce for the others.
   *
   * @param signal Aborted when the service stops. Then it fails before the next pattern.
   */
  async receive(envelope: Envelope, source: Uint8Array, signal: AbortSignal): Promise<Received | Refusal> {
    const { sender } = envelope;
    const recipients: Recipient[] = [];
    for (const address of envelope.recipients) {
      const recipient = this.#find(address);
      if (!recipient) return relayDenied(address);
      recipients.push(recipient);
    }
    const body = recipients.some(({ domain }) => domain.routingEngine === "rules");
    const arriving = await this.#context.reader.readArriving(source, { body }).catch(asUnreadable);
    if ("code" in arriving) return await this.refuse(envelope, arriving);
    const email = summarize(arriving);
    const match = limitedMatch(this.#context.patterns, signal);
    const routed: Routed[] = [];
    for (const recipient of recipients) routed.push(await this.#route(sender, recipient, email, match));
    const refused = routed.flatMap((each) => ("refusal" in each ? [each] : []));
    // If it is worth a second try for one of the recipients, the client must learn that.
    const first = refused.find(({ refusal }) => refusal.code < 500) ?? refused[0];
    if (first && refused.length === routed.length) {
      await this.#logRefused(refused, sender, email);
      return first.refusal;
    }
    try {
      return await this.#accept(envelope, source, email, routed);
    } catch (error) {
      if (!(error instanceof RefusedLateError)) throw error;
      const { refusal } = error;
      const all = routed.map(({ address, domain, account }) => ({ address, domain, account, refusal }));
      await this.#logRefused(all, sender, email);
      return refusal;
    }
  }

  /** Logs that an email is refused whose content is not known. */
  async refuse({ sender, recipients }: Envelope, refusal: Refusal): Promise<Refusal> {
    const refused = recipients.flatMap((address) => {
      const recipient = this.#find(address);
      return recipient ? [{ ...recipient, refusal }] : [];
    });
    await this.#logRefused(refused, sender, undefined);
    return refusal;
  }

  #find(address: string): Recipient | undefined {
    const { accounts, domains } = this.#context.store;
    const found = domains.findAnywhere(domainOf(address));
    const account = found && accounts.find(found.accountId);
    // One of Unicode's forms (RFC 6532), so that aliases, rules and the log have the same.
    return account && { address: address.normalize("NFC"), domain: found.domain, account };
  }

  /** Without the email, the domain's rules can't be tried yet. */
  async #route(sender: string, recipient: Recipient, email: ReceivedEmail | undefined, match: Match): Promise<Routed> {
    const { address, domain } = recipient;
    const badSender = SPECIAL.test(localPartOf(sender)) ? BAD_SENDER : undefined;
    const refusal = badSender ?? this.#domainRefusal(recipient) ?? (email?.wasAt(address) ? LOOP : undefined);
    if (refusal) return { ...recipient, refusal };
    const bounced = this.#context.senders.original(address, this.#context.clock.now());
    if (bounced !== undefined)
      return { ...recipient, routing: { forward: bounced, by: "the sender of a bounced email", failed: [] } };
    if (!email && domain.routingEngine === "rules")
      return { ...recipient, routing: { forward: "", by: "", failed: [] } };
    const { subject, body, headers } = email ?? { subject: "", body: "", headers: {} };
    // While a domain's slow patterns are tried for one of its emails, those of other domains wait for no second one.
    const routing = await this.#turns.take(domain.id, () =>
      route(domain, { sender, recipient: address, subject, body, headers }, this.#context.store, match),
    );
    const { forward, by } = routing;
    return {
      ...recipient,
      ...(forward === undefined || by === undefined
        ? { refusal: unknownAddress(routing) }
        : { routing: { ...routing, forward, by } }),
    };
  }

  #domainRefusal({ domain, account }: Recipient): Refusal | undefined {
    const { name } = domain;
    if (domain.banned) return { code: 550, message: `5.7.1 ${name} is banned` };
    if (account.profile.locked !== null) return { code: 550, message: `5.7.1 The account of ${name} is locked` };
    if (!domain.forwardingReady) return { code: 450, message: `4.3.5 The MX records of ${name} are not set up yet` };
    if (domain.routingEngine === null) return { code: 550, message: `5.7.1 Forwarding is disabled for ${name}` };
    return mayReceive(this.#context, account) ? undefined : overLimit(domain);
  }

  /** @throws RefusedLateError if an account has reached its limit, or a domain does not exist any more. */
  async #accept(
    { sender, client, originSeq }: Envelope,
    source: Uint8Array,
    email: ReceivedEmail,
    routed: readonly Routed[],
  ): Promise<Received> {
    const { store, clock, filing, captureAtOnce, onForward } = this.#context;
    const now = clock.now();
    const messageId = email.messageId === "" ? newMessageId(HOSTNAME) : email.messageId;
    const headers = headerLines([
      ["Received", `from ${client} by ${HOSTNAME}; ${new Date(now).toUTCString().replace("GMT", "+0000")}`],
      ...(messageId === email.messageId ? [] : [["Message-ID", messageId] as const]),
    ]);
    const entries = routed.map((each) => {
      const destinations = "routing" in each ? destinationsOf(each.routing.forward) : [];
      const forwards = destinations.map((destination) => ({
        destination,
        result: captureAtOnce(each.address, destination),
      }));
      const results = forwards.flatMap(({ destination, result }) => {
        if (!result) return [];
        return destinations.length > 1 ? { ...result, message: toDestination(result.message, destination) } : result;
      });
      return { ...each, forwards, entry: this.#entry(each, sender, { ...email, messageId }, now, { results }) };
    });
    const failed = entries.flatMap((each) => ("refusal" in each ? [{ ...each.refusal, recipient: each.address }] : []));
    const noticeId = newLogId(now);
    const notice =
      failed.length > 0 && sender !== ""
        ? await notifySender({ id: noticeId, failed, source: Buffer.concat([headers, source]), sender })
        : undefined;
    const ids = entries.map(({ entry }) => entry.id);
    const [first] = routed;
    const acceptedAs = await store.write(() => {
      const earlier = originSeq !== undefined && first && store.received.reached(originSeq, first.address);
      if (earlier) return [earlier];
      const receivedSeq = store.received.add({ sender, headers, source, attachments: email.attachments, originSeq });
      for (const { entry, ...each } of entries) {
        if (!this.#exists(each.domain)) throw new RefusedLateError(relayDenied(each.address));
        this.#log(each.domain, entry);
        if ("refusal" in each) continue;
        if (!mayReceive(this.#context, each.account)) throw new RefusedLateError(overLimit(each.domain));
        countReceived(this.#context, each.account);
        for (const { destination, result } of each.forwards) {
          const mailSeq = result?.captured && store.mails.create("forwarded", result.captured, email.attachments);
          const dueAt = result ? null : now;
          store.received.addForward({ id: newLogId(now), receivedSeq, entryId: entry.id, destination, dueAt, mailSeq });
        }
      }
      const refused = entries.find((each) => "refusal" in each);
      if (!notice || !refused) return ids;
      const { id: entryId } = refused.entry;
      store.received.addNotice({ id: noticeId, source: notice, entryId, to: sender, dueAt: now });
      return ids;
    });
    filing.wake();
    if (notice || entries.some(({ forwards }) => forwards.some(({ result }) => !result))) onForward();
    return { ids: acceptedAs };
  }

  async #logRefused(
    refused: readonly (Recipient & { readonly refusal: Refusal })[],
    sender: string,
    email: ReceivedEmail | undefined,
  ): Promise<void> {
    const { store, clock } = this.#context;
    const now = clock.now();
    await store.write(() => {
      for (const each of refused)
        if (this.#exists(each.domain))
          this.#log(each.domain, this.#entry(each, sender, email, now, { refusedAs: "REFUSED" }));
    });
  }

  #exists({ id, name }: DomainRecord): boolean {
    return this.#context.store.domains.findAnywhere(name)?.domain.id === id;
  }

  #log(domain: DomainRecord, entry: NewLogEntry): void {
    this.#context.store.logs.append(domain.id, null, entry);
    this.#context.webhooks.announce(domain.id, entry, entry.events);
  }

  #entry(
    routed: Routed,
    sender: string,
    email: ReceivedEmail | undefined,
    now: number,
    {
      refusedAs = "HARD-BOUNCE",
      results = [],
    }: { readonly refusedAs?: "REFUSED" | "HARD-BOUNCE"; readonly results?: readonly DeliveryResult[] },
  ): NewLogEntry {
    const event = ({ status, code, message, server }: Omit<DeliveryResult, "captured">): LogEventRecord => ({
      id: newEventId(now),
      createdAt: now,
      local: HOSTNAME,
      status,
      code,
      message,
      server,
    });
    const destinations = "routing" in routed ? destinationsOf(routed.routing.forward) : [];
    const forward = destinations.find((destination) => !isWebhook(destination));
    return {
      id: newLogId(now),
      createdAt: now,
      hostname: HOSTNAME,
      messageId: email?.messageId ?? "",
      subject: email?.subject ?? "",
      transport: "mx",
      sender: { email: sender, name: email?.nameOf(sender) ?? null },
      recipient: { email: routed.address, name: null },
      forward: forward === undefined ? null : { email: forward, name: null },
      events: [
        "refusal" in routed
          ? event({ status: refusedAs, server: HOSTNAME, ...routed.refusal })
          : event({
              status: "QUEUED",
              server: HOSTNAME,
              code: 250,
              message: queuedMessage(matchOf(routed.routing), destinations.length),
            }),
        ...results.map(event),
      ],
    };
  }
}

function relayDenied(address: string): Refusal {
  return { code: 550, message: `5.7.1 Relaying denied: ${domainOf(address)} is not a domain of the service` };
}

function overLimit({ name }: DomainRecord): Refusal {
  return { code: 452, message: `4.5.3 The account of ${name} has reached its plan's limit of received emails` };
}

/** What matched, and what might have done so before if it could have been evaluated. */
function matchOf({ by, failed: [first] }: Required<Routing>): string {
  return first ? `${by} (${first.name} failed: ${first.reason})` : by;
}

function unknownAddress({ failed }: Routing): Refusal {
  const [first] = failed;
  if (!first) return { code: 550, message: "5.1.1 There is no alias or rule for this address" };
  // It may match once the pattern has been corrected.
  return {
    code: 451,
    message: `4.3.0 There is no alias or rule for this address; ${first.name} failed: ${first.reason}`,
  };
}
