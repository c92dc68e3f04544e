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
 * JSON and addresses write it.
 */
export function redactor(apiKey: string): Redact {
  const secrets = new Set([basicAuthorization(apiKey).slice("Basic ".length)]);
  if (apiKey.length >= SHORTEST_KEY) {
    for (const form of [
      apiKey,
      JSON.stringify(apiKey).slice(1, -1),
      encodeURIComponent(Buffer.from(apiKey).toString()),
    ])
      secrets.add(form);
  }
  return (text) => [...secrets].reduce((clean, secret) => clean.replaceAll(secret, REPLACEMENT), text);
}

/** The error itself, or a copy of its message where anything in it (a parser error holds what it could not parse) quotes the key. */
export function redactCause(cause: unknown, redact: Redact): unknown {
  const shown = inspect(cause, { depth: null });
  if (redact(shown) === shown) return cause;
  return new Error(redact(cause instanceof Error ? cause.message : String(cause)));
}
