import { readDestination, readQueuedMessage } from "../api/local.js";
import { isFinal } from "../send/delivery/delivery-log.js";
import {
  type DeliveryEvent,
  describeDelivery,
  type MessageState,
  type RecipientStatus,
  utcTime,
} from "../send/tracking/message-status.js";
import { type AddressDisplay, showAddress, showText } from "./outbox/report.js";

/** How a received email got to its destinations. */
export interface Route {
  /** Its entries in the log: of the address that it was sent to, and of those that this one forwards to. */
  readonly entries: readonly [RecipientStatus, ...RecipientStatus[]];
  /** What matched at each of them, as in `alias "sales"`, as far as the log says. */
  readonly by: readonly string[];
  /** Number of destinations; `destinations` has those that the log names. */
  readonly total: number;
  readonly destinations: readonly Destination[];
}

interface Destination {
  /** An address or a host. */
  readonly to: string;
  /** Attempts to deliver, oldest first. */
  readonly events: readonly DeliveryEvent[];
}

/** A message's log entries. */
export interface RoutedEntries {
  readonly routes: readonly Route[];
  /** Entries that are on no route: of sent messages, and of refused ones. */
  readonly others: readonly RecipientStatus[];
}

/**
 * Finds the routes in a message's log entries. An entry whose only destination has an entry too continues there, unless
 * its delivery failed: the email had been there before.
 */
export function findRoutes(recipients: readonly RecipientStatus[]): RoutedEntries {
  const received = recipients.filter(({ transport, events }) => transport === "mx" && queuedEvent(events));
  const next = new Map(
    received
      .filter((entry) => hasOneDestination(entry) && !isFailure(entry))
      .map((entry) => [entry, received.find((other) => other !== entry && isSame(other.email, entry.forward))]),
  );
  const continued = new Set(next.values());
  const routes = received.filter((entry) => !continued.has(entry)).map((start) => routeFrom(start, next));
  const onRoute = new Set(routes.flatMap(({ entries }) => entries));
  return { routes, others: recipients.filter((recipient) => !onRoute.has(recipient)) };
}

function routeFrom(start: RecipientStatus, next: ReadonlyMap<RecipientStatus, RecipientStatus | undefined>): Route {
  const entries: [RecipientStatus, ...RecipientStatus[]] = [start];
  let last = start;
  for (let entry = next.get(start); entry && !entries.includes(entry); entry = next.get(entry)) {
    entries.push(entry);
    last = entry;
  }
  const destinations = destinationsOf(last);
  return {
    entries,
    by: entries.flatMap((entry) => readQueued(entry)?.by ?? []),
    total: Math.max(readQueued(last)?.destinations ?? 0, destinations.length),
    destinations,
  };
}

function queuedEvent(events: readonly DeliveryEvent[]): DeliveryEvent | undefined {
  return events.find(({ state }) => state === "QUEUED");
}

function readQueued({ events }: RecipientStatus): ReturnType<typeof readQueuedMessage> {
  return readQueuedMessage(queuedEvent(events)?.message ?? "");
}

/** Whether an entry has one destination, as far as the log says. */
function hasOneDestination(entry: RecipientStatus): boolean {
  return (readQueued(entry)?.destinations ?? 1) === 1;
}

function isSame(email: string, other: string | undefined): boolean {
  return email.toLowerCase() === other?.toLowerCase();
}

/**
 * The destinations that the local service's messages name, in alphabetical order. Another service's log names at most one
 * address, and each attempt may have been answered by another host.
 */
function destinationsOf(entry: RecipientStatus): Destination[] {
  const attempts = entry.events.filter(({ state }) => state !== "QUEUED");
  if (hasOneDestination(entry)) {
    const to = entry.forward ?? attempts.at(-1)?.server;
    return to === undefined ? [] : [{ to, events: attempts }];
  }
  const byName = new Map<string, DeliveryEvent[]>();
  for (const event of attempts) {
    const to = readDestination(event.message) ?? event.server;
    byName.set(to, [...(byName.get(to) ?? []), event]);
  }
  return [...byName].map(([to, events]) => ({ to, events })).toSorted((a, b) => (a.to < b.to ? -1 : 1));
}

/** The state of a message, to which each destination of a route counts as a recipient. */
export function stateWithRoutes(state: MessageState, { routes, others }: RoutedEntries): MessageState {
  if (routes.length === 0) return state;
  const ends = [...others, ...routes.flatMap(({ destinations }) => destinations.flatMap(endsOf))];
  if (ends.some(isFailure)) return "failed";
  const isComplete = routes.every(
    ({ destinations, total }) => total > 0 && destinations.flatMap(endsOf).length >= total,
  );
  return isComplete && ends.every((end) => end.state === "DELIVERED") ? "delivered" : "underway";
}

/** The attempts that ended a delivery: several if a host has several webhooks. */
function endsOf({ events }: Destination): readonly DeliveryEvent[] {
  return events.filter(({ state }) => isFinal(state));
}

function isFailure({ state }: Pick<DeliveryEvent, "state">): boolean {
  return isFinal(state) && state !== "DELIVERED";
}

/**
 * Describes a route: a line that begins with the address that the email was sent to, and one for each of several
 * destinations.
 *
 * @example
 * // s…@example.test  received 10:02: alias "sales" → rule 3 "invoice" → 2 destinations, 1 retried
 * //   a…@example.com  delivered 10:02
 * //   hooks.example  soft-bounced 10:02 (no answer from the receiving server), delivered 10:03
 */
export function formatRoute(route: Route, showing: AddressDisplay): string[] {
  const { entries, total, destinations } = route;
  const several = total > 1 ? destinations : [];
  return [
    `${showAddress(entries[0].email, showing)}  ${describeRoute(route, showing)}`,
    ...several.map(
      (destination) =>
        `  ${showAddress(destination.to, showing)}  ${describeAttempts(destination, receivedAt(entries[0]))}`,
    ),
  ];
}

function describeRoute({ entries: [start], by, total, destinations }: Route, showing: AddressDisplay): string {
  const received = `received ${utcTime(receivedAt(start), undefined)}`;
  // Patterns may contain addresses.
  const matched = by.length === 0 ? "" : `: ${showText(by.join(" → "), showing)}`;
  if (total > 1) return `${received}${matched} → ${total} destinations${countStates(destinations, total)}`;
  const [only] = destinations;
  if (only === undefined) return `${received}${matched}`;
  const attempts = only.events.length === 0 ? "" : `, ${describeAttempts(only, receivedAt(start))}`;
  return `${received}${matched} → ${showAddress(only.to, showing)}${attempts}`;
}

/** In ms since 1970. */
function receivedAt({ events }: RecipientStatus): number {
  return queuedEvent(events)?.at.getTime() ?? 0;
}

/** With the date where it differs from the previous time, which is first that of receiving the email. */
function describeAttempts({ events }: Destination, received: number): string {
  return describeDelivery(
    events.map(({ at, state, ...event }) => ({ ...event, at: at.getTime(), status: state })),
    (time, before = received) => utcTime(time, before),
  );
}

/** How many of several destinations were retried, failed or wait, as in `, 1 retried`. */
function countStates(destinations: readonly Destination[], total: number): string {
  const ends = destinations.flatMap(endsOf);
  const counts = {
    retried: destinations.filter(isRetried).length,
    failed: ends.filter(isFailure).length,
    waiting: Math.max(0, total - ends.length),
  };
  return Object.entries(counts)
    .map(([word, count]) => (count === 0 ? "" : `, ${count} ${word}`))
    .join("");
}

function isRetried({ events }: Destination): boolean {
  return events.slice(0, -1).some(({ state }) => state === "SOFT-BOUNCE");
}

/** Describes a route for `--json`. */
export function routeAsDocument(route: Route, showing: AddressDisplay) {
  const { entries, by, total, destinations } = route;
  return {
    meaning: describeRoute(route, showing),
    by: by.map((name) => showText(name, showing)),
    entries: entries.map(({ id, email }) => ({ id, email: showAddress(email, showing) })),
    total,
    destinations: destinations.map((destination) => ({
      to: showAddress(destination.to, showing),
      state: destination.events.at(-1)?.state ?? "QUEUED",
      meaning: describeAttempts(destination, receivedAt(entries[0])),
    })),
  };
}
