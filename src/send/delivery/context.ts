import type { Clock } from "../clock.js";
import type { Publish } from "../events/events.js";
import type { Pace } from "../pace/pace.js";
import type { Breaker } from "./breaker.js";
import type { Wanted } from "./candidates.js";
import type { Connection } from "./connection.js";
import type { Ledger } from "./ledger.js";
import type { LookupOptions } from "./lookup.js";
import type { Parcel } from "./parcel.js";
import { asShown, subjectOf } from "./subject.js";
import type { Twins } from "./twins.js";
import { createHash, hash } from "node:crypto";
import { emailOf } from "../message/addresses.js";

/** What all deliveries of a courier share. */
export interface CourierContext {
  readonly url: string;
  readonly domain: string;
  /** The service and the domain. */
  readonly target: string;
  readonly timeoutMs: number;
  readonly correlation: string | undefined;
  readonly subjectOf: ((template: string) => string | undefined) | undefined;
  readonly connection: Connection;
  readonly breaker: Breaker;
  readonly pace: Pick<Pace, "acquire" | "hold">;
  readonly ledger: Ledger;
  readonly lookup: LookupOptions;
  readonly clock: Clock;
  readonly publish: Publish;
  readonly twins: Twins;
}

/** What distinguishes a parcel from others. */
export interface Traces {
  readonly fingerprint: string;
  readonly likeness: string;
  /** How it would appear in the delivery log. */
  readonly wanted: Wanted;
}

export function tracesOf(
  { email, template, subject: filled }: Parcel,
  { domain, target, subjectOf: ofTemplate }: CourierContext,
): Traces {
  const sender = `${email.from}@${domain}`;
  const people = peopleOf(email);
  const recipients = recipientsOf(people);
  const own = template === undefined ? undefined : ofTemplate?.(template);
  const subject = filled === undefined ? subjectOf(email, own) : asShown(filled);
  const subjects = () => (subject === "" ? [] : [subject, subjectOf(email, own, "html")]);
  return {
    fingerprint: fingerprintOf(email, people, target),
    likeness: likenessOf(sender, recipients, subject, target),
    wanted: { sender, recipients, subjects },
  };
}

/**
 * A hash of everything that makes two messages the same: sender, recipients, content and files. Order and case of
 * addresses, and display names, don't matter.
 *
 * @param target The service and the domain.
 */
function fingerprintOf(email: Parcel["email"], people: People, target: string): string {
  const { from, attachments, template, variables, subject, html, text } = email;
  const content = { template, variables, subject, html, text };
  const files = attachments?.map(({ content: file, ...facts }) => ({ ...facts, file: hashOfFile(file) }));
  return hash("sha256", JSON.stringify([target, from.toLowerCase(), people, content, files]), "base64url");
}

/** A hash of what the delivery log shows of a message. */
function likenessOf(sender: string, recipients: readonly string[], subject: string, target: string): string {
  return hash("sha256", JSON.stringify([target, sender.toLowerCase(), recipients, subject]), "base64url");
}

function hashOfFile(content: string | { readonly bytes: Uint8Array }): string {
  const bytes = typeof content === "string" ? Buffer.from(content, "base64") : content.bytes;
  return createHash("sha256").update(bytes).digest("base64url");
}

/** The people in an email, as bare addresses in lower case, sorted: case and display names make no difference. */
interface People {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
}

function peopleOf({ to, cc, bcc, reply_to }: Parcel["email"]): People {
  return { to: bareAddresses(to), cc: bareAddresses(cc), bcc: bareAddresses(bcc), replyTo: bareAddresses(reply_to) };
}

/** All recipients, once each: the delivery log has one entry for each. */
function recipientsOf({ to, cc, bcc }: People): readonly string[] {
  if (to.length === 1 && cc.length + bcc.length === 0) return to;
  return [...new Set([...to, ...cc, ...bcc])].toSorted();
}

function bareAddresses(field: string | readonly string[] | undefined): readonly string[] {
  if (field === undefined) return [];
  const addresses = typeof field === "string" ? [field] : field;
  return addresses.map((address) => emailOf(address.trim()).toLowerCase()).sort();
}
