import type { Redact } from "./redact.js";

/** The content of a refusal's body, as far as it follows the contract. */
export interface RefusalBody {
  readonly message?: string;
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
}

/**
 * Parses `{ message, errors }` (part 7), and version 3's earlier format without a message, for which the first field's
 * message is used. Proxies and load balancers refuse in their own formats: then the status has to suffice.
 */
export function readRefusalBody(text: string, redact: Redact): RefusalBody {
  return refusalOf(parseJson(text), redact);
}

/** The same for parsed JSON. */
export function refusalOf(body: unknown, redact: Redact): RefusalBody {
  if (!isRecord(body)) return { fieldErrors: {} };
  const { message, errors } = body;
  // The text ends up in logs, so line breaks and other control characters are removed.
  const clean = (words: string) => redact(words).replaceAll(/\p{Cc}+/gu, " ");
  const fieldErrors = Object.entries(isRecord(errors) ? errors : {}).flatMap(
    ([field, messages]): [string, string[]][] => (isStringList(messages) ? [[clean(field), messages.map(clean)]] : []),
  );
  const firstMessage = typeof message === "string" && message !== "" ? clean(message) : fieldErrors[0]?.[1][0];
  return {
    ...(firstMessage === undefined ? {} : { message: firstMessage }),
    fieldErrors: Object.fromEntries(fieldErrors),
  };
}

/** Undefined for a string that is not JSON; JSON itself has no undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
