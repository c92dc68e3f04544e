import { inspect } from "node:util";

/** Removes the key from a string that came from elsewhere. */
export type Redact = (text: string) => string;

/** Shorter than any key that is replaced, so that it cannot contain one. */
const REPLACEMENT = "[key]";
/** Shorter keys are not secret, such as the local service's, and may be ordinary words. */
const SHORTEST_KEY = 8;

/** The value of the Authorization header (part 5). */
export function basicAuthorization(apiKey: string): string {
  return `Basic ${Buffer.from(`api:${apiKey}`).toString("base64")}`;
}

/**
 * Returns a function that replaces the key wherever a server may have quoted it: verbatim, in the header's form, and
 * each of them as encoded in JSON, URLs, HTML and base64.
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

/** The same, including passwords in a request; also short ones, because they are not part of paths or other texts. */
export function redactorWith(redact: Redact, passwords: readonly string[]): Redact {
  const forms = passwords.filter(Boolean).flatMap((password) => [password, JSON.stringify(password).slice(1, -1)]);
  return (text) => forms.reduce((clean, form) => clean.replaceAll(form, "[password]"), redact(text));
}

/** A string verbatim and URL-encoded, with upper-case and lower-case escapes. */
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

/** The error itself, or a copy of its message if any part of it quotes the key: a parser's error contains its input. */
export function redactCause(cause: unknown, redact: Redact): unknown {
  const inspected = inspect(cause, { depth: null });
  if (redact(inspected) === inspected) return cause;
  return new Error(redact(cause instanceof Error ? cause.message : String(cause)));
}
