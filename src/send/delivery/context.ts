import type { Clock } from "../clock.js";
import type { Publish } from "../events/events.js";
import type { Pace } from "../pace/pace.js";
import type { Breaker } from "./breaker.js";
import type { Wanted } from "./candidates.js";
import type { Connection } from "./connection.js";
import { fingerprintOf, likenessOf } from "./fingerprint.js";
import type { Ledger } from "./ledger.js";
import type { LookupOptions } from "./lookup.js";
import type { Parcel } from "./parcel.js";
import { peopleOf, recipientsOf } from "./recipients.js";
import { asShown, subjectOf } from "./subject.js";
import type { Twins } from "./twins.js";

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
