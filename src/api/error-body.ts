import type { Redact } from "./redact.js";

/** What the body of a refusal says, as far as it follows the contract. */
export interface RefusalBody {
  readonly message?: string;
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reads `{ message, errors }` (part 7). What is in front of the service, a proxy or a load balancer, refuses in forms of
 * its own; a body that is not the contract's has nothing to say, and the status speaks for itself.
 */
export function readRefusalBody(text: string, redact: Redact): RefusalBody {
  const body = parseJson(text);
  if (!isRecord(body)) return { fieldErrors: {} };
  const { message, errors } = body;
  const fieldErrors = Object.entries(isRecord(errors) ? errors : {}).flatMap(([field, messages]) =>
    isTexts(messages) ? [[redact(field), messages.map(redact)]] : [],
  );
  return {
    message: typeof message === "string" && message !== "" ? redact(message) : undefined,
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
