import { readDestination, readQueuedMessage } from "../api/local.js";
import { isFinal } from "../send/delivery/delivery-log.js";
import {
  type DeliveryEvent,
  describeDelivery,
  type MessageState,
  type RecipientStatus,
  utcTime,
} from "../send/tracking/message-status.js";
import { type AddressDisplay, maskAddress, maskAddresses } from "./outbox/report.js";

/** The way of a received email: through aliases and rules to its destinations. */
export interface Route {
  /** Its entries in the log: of the address that it was sent to, and of those that this one forwards to. */
  readonly entries: readonly [RecipientStatus, ...RecipientStatus[]];
  /** What matched at each of them, as in `alias "sales"`, as far as the log tells. */
  readonly by: readonly string[];
  /** How many destinations there are; `destinations` has those that the log tells. */
  readonly total: number;
  readonly destinations: readonly Destination[];
}

interface Destination {
  /** An address or a host. */
  readonly to: string;
  /** Attempts to deliver, oldest first. */
  readonly events: readonly DeliveryEvent[];
}

/**
 * The ways of a message's received emails, apart from those that were refused. An entry whose only destination has an
 * entry too continues in that one.
 */
export function routesOf(recipients: readonly RecipientStatus[]): Route[] {
  const received = recipients.filter(({ transport, events }) => transport === "mx" && queuedIn(events));
  const next = new Map(
    received
      .filter(hasOneDestination)
      .map((entry) => [entry, received.find((other) => other !== entry && isSame(other.email, entry.forward))]),
  );
  const later = new Set(next.values());
  return received
    .filter((entry) => !later.has(entry))
    .map((start) => {
      const entries: Route["entries"][number][] = [];
      for (let entry: RecipientStatus | undefined = start; entry && !entries.includes(entry); entry = next.get(entry))
        entries.push(entry);
      return routeThrough([start, ...entries.slice(1)]);
    });
}

function routeThrough(entries: Route["entries"]): Route {
  const last = entries.at(-1) ?? entries[0];
  const destinations = destinationsOf(last);
  const known = readQueued(last)?.destinations ?? destinations.length;
  const by = entries.flatMap((entry) => readQueued(entry)?.by ?? []);
  return { entries, by, total: Math.max(known, destinations.length), destinations };
}

function queuedIn(events: readonly DeliveryEvent[]): DeliveryEvent | undefined {
  return events.find(({ state }) => state === "QUEUED");
}

function readQueued({ events }: RecipientStatus): ReturnType<typeof readQueuedMessage> {
  return readQueuedMessage(queuedIn(events)?.message ?? "");
}

/** Whether an entry has one destination, as far as the log tells. */
function hasOneDestination(entry: RecipientStatus): boolean {
  return (readQueued(entry)?.destinations ?? 1) === 1;
}

function isSame(email: string, other: string | undefined): boolean {
  return email.toLowerCase() === other?.toLowerCase();
}

/**
 * By what the local service's messages name, in alphabetical order. Another service's log tells one address at most, and
 * each attempt may have been answered by another host.
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

/** The state of a message whose received emails went these ways: each destination counts. */
export function stateWithRoutes(state: MessageState, recipients: readonly RecipientStatus[]): MessageState {
  const routes = routesOf(recipients);
  if (routes.length === 0) return state;
  const onRoute = new Set(routes.flatMap(({ entries }) => entries));
  const latest = [
    ...recipients.filter((recipient) => !onRoute.has(recipient)).map((recipient) => recipient.state),
    ...routes.flatMap(({ destinations }) => destinations.map(latestOf)),
  ];
  if (latest.some((each) => isFinal(each) && each !== "DELIVERED")) return "failed";
  const isComplete = routes.every(({ destinations, total }) => total > 0 && destinations.length === total);
  return isComplete && latest.every((each) => each === "DELIVERED") ? "delivered" : "underway";
}

function latestOf({ events }: Destination): RecipientStatus["state"] {
  return events.at(-1)?.state ?? "QUEUED";
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
    `${shown(entries[0].email, showing)}  ${describeRoute(route, showing)}`,
    ...several.map(
      (destination) => `  ${shown(destination.to, showing)}  ${inWords(destination, receivedAt(entries[0]))}`,
    ),
  ];
}

function describeRoute({ entries: [start], by, total, destinations }: Route, showing: AddressDisplay): string {
  const received = `received ${utcTime(receivedAt(start), undefined)}`;
  const way = by.length === 0 ? received : `${received}: ${byShown(by, showing).join(" → ")}`;
  if (total > 1) return `${way} → ${total} destinations${countsOf(destinations, total)}`;
  const [only] = destinations;
  if (only === undefined) return way;
  return `${way} → ${shown(only.to, showing)}${only.events.length === 0 ? "" : `, ${inWords(only, receivedAt(start))}`}`;
}

function shown(to: string, { addresses }: AddressDisplay): string {
  return addresses ? to : maskAddress(to);
}

/** Patterns may contain addresses. */
function byShown(by: Route["by"], { addresses }: AddressDisplay): readonly string[] {
  return addresses ? by : by.map(maskAddresses);
}

/** In ms since 1970. */
function receivedAt({ events }: RecipientStatus): number {
  return queuedIn(events)?.at.getTime() ?? 0;
}

/** With the date where it differs from the previous time, which is first that of receiving the email. */
function inWords({ events }: Destination, received: number): string {
  return describeDelivery(
    events.map(({ at, state, ...event }) => ({ ...event, at: at.getTime(), status: state })),
    (time, before = received) => utcTime(time, before),
  );
}

/** How many of several destinations were retried, failed or wait, as in `, 1 retried`. */
function countsOf(destinations: readonly Destination[], total: number): string {
  const count = (fits: (destination: Destination) => boolean) => destinations.filter(fits).length;
  const isOver = (destination: Destination) => isFinal(latestOf(destination));
  const counts = {
    retried: count(({ events }) => events.length > 1),
    failed: count((destination) => isOver(destination) && latestOf(destination) !== "DELIVERED"),
    waiting: total - count(isOver),
  };
  return Object.entries(counts)
    .map(([word, number]) => (number === 0 ? "" : `, ${number} ${word}`))
    .join("");
}

/** Describes a route for `--json`. */
export function routeAsDocument(route: Route, showing: AddressDisplay) {
  const { entries, by, total, destinations } = route;
  return {
    meaning: describeRoute(route, showing),
    by: byShown(by, showing),
    entries: entries.map(({ id, email }) => ({ id, email: shown(email, showing) })),
    total,
    destinations: destinations.map((destination) => ({
      to: shown(destination.to, showing),
      state: latestOf(destination),
      meaning: inWords(destination, receivedAt(route.entries[0])),
    })),
  };
}
