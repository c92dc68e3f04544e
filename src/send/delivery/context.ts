import type { Clock } from "../clock.js";
import type { Breaker } from "./breaker.js";
import type { Connection } from "./connection.js";
import type { NewCourierOptions } from "./courier.js";
import type { ExpectedEntry } from "./lookup.js";
import type { Ledger } from "../store/ledger.js";
import { emailOf, recipientsOf, type Parcel } from "../parcel.js";
import { createHash, hash } from "node:crypto";
import { MustacheSyntaxError, renderMustache } from "../../mustache/fill.js";

export interface CourierContext extends NewCourierOptions {
  /** The service or the SMTP server, and the domain. */
  readonly target: string;
  readonly connection: Connection;
  /** @throws {ConfigurationError} The local service belongs to another project. */
  readonly checkOwner: () => Promise<void>;
  readonly breaker: Breaker;
  readonly twins: Twins;
}

/** What distinguishes a parcel from others. */
export interface Traces {
  readonly fingerprint: string;
  readonly likeness: string;
  /** How it would appear in the delivery log. */
  readonly wanted: ExpectedEntry;
}

export function tracesOf(
  { id, email, template, subject: filled }: Parcel,
  { domain, target, smtp, subjectOf: ofTemplate }: CourierContext,
): Traces {
  const sender = `${email.from}@${domain}`;
  const recipients = recipientsOf(email).toSorted();
  const fingerprint = fingerprintOf(email, target);
  if (smtp !== undefined) {
    const messageId = messageIdOf(id, domain);
    return { fingerprint, likeness: messageId, wanted: { sender, recipients, subjects: () => [], messageId } };
  }
  const own = template === undefined ? undefined : ofTemplate?.(template);
  const subject = filled === undefined ? subjectOf(email, own) : asShown(filled);
  const subjects = () => (subject === "" ? [] : [subject, subjectOf(email, own, "html")]);
  const likeness = likenessOf(sender, recipients, subject, target);
  return { fingerprint, likeness, wanted: { sender, recipients, subjects } };
}

/**
 * A hash of everything that makes two messages the same: sender, recipients, content and files. Order and case of
 * addresses, and display names, don't matter.
 *
 * @param target The service and the domain.
 */
function fingerprintOf(email: Parcel["email"], target: string): string {
  const { from, to, cc, bcc, reply_to, attachments, template, variables, subject, html, text } = email;
  const people = {
    to: bareAddresses(to),
    cc: bareAddresses(cc),
    bcc: bareAddresses(bcc),
    replyTo: bareAddresses(reply_to),
  };
  const files = attachments?.map(({ content: file, ...facts }) => ({ ...facts, file: hashOfFile(file) }));
  const facts = [
    target,
    from.toLowerCase(),
    people,
    { template, variables, subject },
    files,
    html?.length,
    text?.length,
  ];
  // Bodies are long: as JSON, they would take longer than the hash.
  return hash("sha256", [JSON.stringify(facts), html, text].join("\n"), "base64url");
}

/** A hash of what the delivery log shows of a message. */
function likenessOf(sender: string, recipients: readonly string[], subject: string, target: string): string {
  return hash("sha256", JSON.stringify([target, sender.toLowerCase(), recipients, subject]), "base64url");
}

function hashOfFile(content: string | { readonly bytes: Uint8Array }): string {
  const bytes = typeof content === "string" ? Buffer.from(content, "base64") : content.bytes;
  return createHash("sha256").update(bytes).digest("base64url");
}

function bareAddresses(field: string | readonly string[] = []): readonly string[] {
  return [field]
    .flat()
    .map((address) => emailOf(address.trim()).toLowerCase())
    .sort();
}

/** The address that only this parcel's email goes to, if correlation is on. */
export function correlationOf(
  id: string,
  { correlation, domain }: Pick<CourierContext, "correlation" | "domain">,
): string | undefined {
  return correlation === undefined ? undefined : `${correlation}+${id}@${domain}`;
}

/** The Message-ID of a parcel that is sent by SMTP: the same for all tries, in all processes. */
export function messageIdOf(id: string, domain: string): string {
  return `<${id}@${domain}>`;
}

/** The email with that address as one more blind copy. */
export function withCorrelation(email: Parcel["email"], address: string | undefined): Parcel["email"] {
  if (address === undefined) return email;
  const { bcc = [] } = email;
  return { ...email, bcc: [bcc, address].flat() };
}

/**
 * The subject as the delivery log will show it; empty if it is not known here.
 *
 * @param ofTemplate The template's own subject, as Mustache.
 * @param escape Some services escape a subject as they escape HTML.
 */
function subjectOf(
  { subject, variables }: Pick<Parcel["email"], "subject" | "variables">,
  ofTemplate: string | undefined,
  escape: "none" | "html" = "none",
): string {
  const mustache = subject ?? ofTemplate ?? "";
  if (!mustache.includes("{{")) return asShown(mustache);
  try {
    return asShown(renderMustache(mustache, { ...variables }, { escape }));
  } catch (error) {
    if (error instanceof MustacheSyntaxError) return asShown(mustache);
    throw error;
  }
}

/** White space is collapsed in transit. */
export function asShown(subject: string): string {
  return subject.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}

/** Parcels in progress in this process: others waiting for one of them are notified as soon as it is decided. */
export class Twins {
  readonly #underWay = new Map<string, (() => void)[]>();

  /** @returns A function that marks it as decided. */
  enter(id: string): () => void {
    const waiting = this.#underWay.get(id) ?? [];
    this.#underWay.set(id, waiting);
    return () => {
      this.#underWay.delete(id);
      for (const decided of waiting) decided();
    };
  }

  /** Undefined if it belongs to another process. */
  decided(id: string): Promise<void> | undefined {
    const waiting = this.#underWay.get(id);
    return waiting && new Promise((resolve) => void waiting.push(resolve));
  }
}

/** A process that has sent no heartbeat for this long counts as dead. */
export const LEASE_MS = 30_000;

/** Keeps an open entry of the ledger alive until the returned function is called. */
export function keepAlive(ledger: Ledger, id: string, clock: Clock): () => void {
  let stopped = false;
  let cancel = clock.after(LEASE_MS / 3, extend);
  function extend(): void {
    const go = () => void (cancel = stopped ? cancel : clock.after(LEASE_MS / 3, extend));
    // A failed write is tried again; at worst, another process looks the parcel up.
    ledger.keepAlive(id, LEASE_MS).then(go, go);
  }
  return () => {
    stopped = true;
    cancel();
  };
}
