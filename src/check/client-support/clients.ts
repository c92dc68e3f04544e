import { memoize } from "../memoize.js";
import { supportData } from "./data.js";

/**
 * The clients that count where a project names none: those that most people read their mail in. What they support
 * differs by platform, so each platform counts for one. Nobody publishes honest shares of them by platform (opens that
 * Apple's and Gmail's proxies make are counted as reads), so they are counted and not weighted.
 */
export const DEFAULT_CLIENTS: readonly string[] = [
  "apple-mail.ios",
  "apple-mail.macos",
  "gmail.desktop-webmail",
  "gmail.ios",
  "gmail.android",
  "outlook.windows",
  "outlook.outlook-com",
  "outlook.macos",
  "outlook.ios",
  "outlook.android",
  "yahoo.desktop-webmail",
  "yahoo.ios",
  "yahoo.android",
  "samsung-email.android",
];

/**
 * The ids of the clients that patterns mean, in the order of the data; those of the default list without patterns.
 *
 * @example
 * clientsOf(["apple-mail.*", "outlook.windows"]); // ["apple-mail.macos", "apple-mail.ios", "outlook.windows"]
 * clientsOf(["gmail"]); // every Gmail
 */
export function clientsOf(patterns: readonly string[]): readonly string[] {
  return clientsOfLines((patterns.length === 0 ? DEFAULT_CLIENTS : patterns).join("\n"));
}

const clientsOfLines = memoize(10, (lines): readonly string[] => {
  const wanted = lines.split("\n").map(expressionOf);
  return Object.keys(supportData().clients).filter((client) => wanted.some((expression) => expression.test(client)));
});

/** Patterns that mean no client at all. */
export function unknownPatterns(patterns: readonly string[]): string[] {
  return patterns.filter((pattern) => clientsOf([pattern]).length === 0);
}

/** `gmail` means each of its platforms, `*` any part of a name. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.trim().toLowerCase().split("*");
  const expression = parts.map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, "\\$&")).join(".*");
  return new RegExp(`^${expression}(?:\\..*)?$`);
}

/**
 * Clients for a person, a family of which each platform counts in one word.
 *
 * @example
 * nameClients(["gmail.ios", "gmail.android"], all); // "Gmail"
 */
export function nameClients(some: readonly string[], all: readonly string[]): string {
  const names: string[] = [];
  for (const family of new Set(some.map(familyOf))) {
    const [ours, theirs] = [some, all].map((list) => list.filter((client) => familyOf(client) === family));
    const isWhole = ours?.length === theirs?.length && (ours?.length ?? 0) > 1;
    names.push(...(ours ?? []).slice(0, isWhole ? 1 : undefined).map((client) => nameOf(client, isWhole)));
  }
  return names.join(", ");
}

function nameOf(client: string, asFamily: boolean): string {
  const name = supportData().clients[client] ?? client;
  return asFamily ? name.replace(/ \(.*\)$|\.com$/, "") : name;
}

function familyOf(client: string): string {
  return client.split(".", 1)[0] ?? client;
}
