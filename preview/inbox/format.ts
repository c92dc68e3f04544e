import { counted } from "../state/counts.js";
import type { Tone } from "../ui/badge.js";

interface StatusWords {
  readonly label: string;
  readonly tone: Tone;
  /** The event in the list of delivery events. */
  readonly event: string;
}

const words: Readonly<Record<string, StatusWords>> = {
  QUEUED: { label: "Queued", tone: "neutral", event: "Accepted, waiting for delivery" },
  DELIVERED: { label: "Delivered", tone: "good", event: "Delivered" },
  "SOFT-BOUNCE": { label: "Delayed", tone: "warning", event: "Deferred: delivery will be tried again" },
  "HARD-BOUNCE": { label: "Bounced", tone: "error", event: "Bounced: the address doesn't accept email" },
  BOUNCED: { label: "Bounced", tone: "error", event: "Bounced: no further attempts" },
  REFUSED: { label: "Refused", tone: "error", event: "Refused by the recipient's server" },
};

export const statusWords = (status: string): StatusWords =>
  words[status] ?? { label: status, tone: "neutral", event: status };

export const isUnderWay = (status: string): boolean => status === "QUEUED" || status === "SOFT-BOUNCE";

const timeOfDay = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const whole = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "medium" });
const precise = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** The time if it is today, otherwise the date. */
export const shortTime = (at: string): string => {
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString() ? timeOfDay.format(date) : day.format(date);
};

export const fullTime = (at: string): string => whole.format(new Date(at));

/** The time to the second, with the date if it differs from the day of `since`. */
export const eventTime = (at: string, since: string): string => {
  const date = new Date(at);
  const isSameDay = date.toDateString() === new Date(since).toDateString();
  return isSameDay ? precise.format(date) : `${day.format(date)}, ${precise.format(date)}`;
};

const relative = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto", style: "short" });
const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/**
 * How long ago it was, or until then, in the largest unit that fits.
 *
 * @example
 * relativeTime("2026-01-01T00:00:00Z", Date.parse("2026-01-01T00:03:20Z")); // "3 mins ago"
 */
export const relativeTime = (at: string, now = Date.now()): string => {
  const milliseconds = Date.parse(at) - now;
  const [unit, length] = units.find(([, each]) => Math.abs(milliseconds) >= each) ?? units[3];
  return relative.format(Math.trunc(milliseconds / length), unit);
};

/** `4 days`, `3 minutes`, `12 seconds` */
export const duration = (milliseconds: number): string => {
  const [unit, length] = units.find(([, each]) => milliseconds >= each) ?? units[3];
  return counted(Math.trunc(milliseconds / length), unit);
};

/** Splits `Ada <ada@example.com>` into name and email address. */
export const parseAddress = (address: string): { readonly name?: string; readonly email: string } => {
  const match = /^(.*\S)\s*<([^<>]*)>$/.exec(address);
  return match?.[1] !== undefined && match[2] !== undefined ? { name: match[1], email: match[2] } : { email: address };
};

export const shortName = (address: string): string => {
  const { name, email } = parseAddress(address);
  return name ?? email;
};

export const formatSize = (bytes: number): string => {
  if (bytes < 1_000) return counted(bytes, "byte");
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};
