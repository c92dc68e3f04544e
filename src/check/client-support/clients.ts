import { memoizeByString } from "../memoize.js";
import { supportData } from "./data.js";

/**
 * The clients that are checked if a project names none: the most widely used ones. Each platform counts as one client
 * because support differs between platforms. Clients are not weighted by market share: published shares count the opens that
 * Apple's and Gmail's proxies cause as reads.
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
 * The ids of the clients that match the patterns, in the order of the data; the default clients if there are no patterns.
 *
 * @example
 * clientsOf(["apple-mail.*", "outlook.windows"]); // ["apple-mail.macos", "apple-mail.ios", "outlook.windows"]
 * clientsOf(["gmail"]); // Gmail on all platforms
 */
export function clientsOf(patterns: readonly string[]): readonly string[] {
  return clientsOfLines((patterns.length === 0 ? DEFAULT_CLIENTS : patterns).join("\n"));
}

const clientsOfLines = memoizeByString(10, (lines): readonly string[] => {
  const expressions = lines.split("\n").map(expressionOf);
  return Object.keys(supportData().clients).filter((client) =>
    expressions.some((expression) => expression.test(client)),
  );
});

/** Patterns that match no client. */
export function unknownPatterns(patterns: readonly string[]): string[] {
  return patterns.filter((pattern) => clientsOf([pattern]).length === 0);
}

/** `gmail` matches each of its platforms, `*` any part of a name. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.trim().toLowerCase().split("*");
  const expression = parts.map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, "\\$&")).join(".*");
  return new RegExp(`^${expression}(?:\\..*)?$`);
}

/**
 * The display names of clients. A family whose platforms are all included is named once.
 *
 * @example
 * nameClients(["gmail.ios", "gmail.android"], all); // "Gmail"
 */
export function nameClients(some: readonly string[], all: readonly string[]): string {
  const names: string[] = [];
  for (const family of new Set(some.map(familyOf))) {
    const [included, members] = [some, all].map((list) => list.filter((client) => familyOf(client) === family));
    const isWhole = included?.length === members?.length && (included?.length ?? 0) > 1;
    names.push(...(included ?? []).slice(0, isWhole ? 1 : undefined).map((client) => nameOf(client, isWhole)));
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
