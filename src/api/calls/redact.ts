import { inspect } from "node:util";

/** Takes the key out of a text that came from elsewhere. */
export type Redact = (text: string) => string;

/** Shorter than any key that is replaced, so that it cannot hold one itself. */
const REPLACEMENT = "[key]";
/** A shorter key is a stand-in such as the local service's, and an ordinary word that texts may have. */
const SHORTEST_KEY = 8;

/** The value of the Authorization header (part 5). */
export function basicAuthorization(apiKey: string): string {
  return `Basic ${Buffer.from(`api:${apiKey}`).toString("base64")}`;
}

/**
 * A function that replaces the key wherever a server may have quoted it back: as it is, in the header's form, and as
 * JSON, addresses, pages and base64 write either.
 */
export function redactor(apiKey: string): Redact {
  const authorization = Buffer.from(`api:${apiKey}`);
  const secrets = [authorization.toString("base64"), authorization.toString("base64url")].flatMap(inAddresses);
  if (apiKey.length >= SHORTEST_KEY) {
    const bytes = Buffer.from(apiKey);
    secrets.push(apiKey, JSON.stringify(apiKey).slice(1, -1), inPages(apiKey), ...inAddresses(bytes.toString()));
    secrets.push(...[bytes.toString("base64"), bytes.toString("base64url")].flatMap(inAddresses));
  }
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  const anySecret = new RegExp(longestFirst.map(literally).join("|"), "g");
  return (text) => text.replace(anySecret, REPLACEMENT);
}

/** The same, and passwords that a request carries; short ones, too, as they are in no path and no other text. */
export function redactorWith(redact: Redact, passwords: readonly string[]): Redact {
  const forms = passwords.filter(Boolean).flatMap((password) => [password, JSON.stringify(password).slice(1, -1)]);
  return (text) => forms.reduce((clean, form) => clean.replaceAll(form, "[password]"), redact(text));
}

/** A text as it is and as addresses write it, with capital letters and without. */
function inAddresses(text: string): string[] {
  const encoded = encodeURIComponent(text);
  return [text, encoded, encoded.replace(/%../g, (escape) => escape.toLowerCase())];
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function inPages(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** The error itself, or a copy of its message where anything in it (a parser error holds what it could not parse) quotes the key. */
export function redactCause(cause: unknown, redact: Redact): unknown {
  const shown = inspect(cause, { depth: null });
  if (redact(shown) === shown) return cause;
  return new Error(redact(cause instanceof Error ? cause.message : String(cause)));
}
