import { parseAddress } from "../outbound/address.js";
import { isWebAddress } from "../web-address.js";

const FORWARD_MAX = 10_000;
const SHOWN_MAX = 60;

/**
 * Why mail cannot be forwarded to what a text names, in words that follow the field's name; undefined where it can:
 * addresses and webhooks, separated by commas, with spaces around them or without.
 *
 * @example
 * forwardRefusal("ada@example.com, https://example.com/hook"); // undefined
 */
export function forwardRefusal(forward: string): string | undefined {
  if (forward.trim() === "") return "is required";
  if (forward.length > FORWARD_MAX) return `may have at most ${FORWARD_MAX} characters`;
  const wrong = forward
    .split(",")
    .map((destination) => destination.trim())
    .find((destination) => !isAddress(destination) && !isWebAddress(destination));
  if (wrong === undefined) return undefined;
  if (wrong === "") return "has an empty destination: two commas in a row, or one at an end";
  const shown = wrong.length > SHOWN_MAX ? `${wrong.slice(0, SHOWN_MAX)}…` : wrong;
  return `has an invalid forward address: ${JSON.stringify(shown)} is neither an email address nor an http or https URL`;
}

function isAddress(text: string): boolean {
  return parseAddress(text)?.email === text;
}
