import type { Redact } from "./redact.js";

/** What the body of a refusal says, as far as it follows the contract. */
export interface RefusalBody {
  readonly message?: string;
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reads `{ message, errors }` (part 7), and version 3's earlier form without a message, which the first field's takes
 * the place of. What is in front of the service, a proxy or a load balancer, refuses in forms of
 * its own; a body that is not the contract's has nothing to say, and the status speaks for itself.
 */
export function readRefusalBody(text: string, redact: Redact): RefusalBody {
  return refusalOf(parseJson(text), redact);
}

/** The same, of a body that was parsed. */
export function refusalOf(body: unknown, redact: Redact): RefusalBody {
  if (!isRecord(body)) return { fieldErrors: {} };
  const { message, errors } = body;
  // It ends up in logs, where line breaks and other control characters of the service have no place.
  const said = (words: string) => redact(words).replaceAll(/\p{Cc}+/gu, " ");
  const fieldErrors = Object.entries(isRecord(errors) ? errors : {}).flatMap(
    ([field, messages]): [string, string[]][] => (isTexts(messages) ? [[said(field), messages.map(said)]] : []),
  );
  const told = typeof message === "string" && message !== "" ? said(message) : fieldErrors[0]?.[1][0];
  return {
    ...(told === undefined ? {} : { message: told }),
    fieldErrors: Object.fromEntries(fieldErrors),
  };
}

/** Undefined for a text that is not JSON, which JSON itself cannot say. */
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

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
