import { domainOf, isEmailAddress, isLocalPart, isWebAddress, localPartOf } from "./address.js";
import { type PatternChecks, patternRefusal } from "./patterns/patterns.js";

const ALIAS_MAX = 64;
/** Without `*`, which is the catch-all, and without a leading `/`, which starts a regular expression. */
const ALIAS = /^(?!\/)[^*]+$/;
const CATCH_ALL = "*";

/**
 * Why a string is not a valid alias, as text that follows the field's name. Undefined if it is valid. An alias is a
 * local part, `*` for every other address, or a regular expression between slashes.
 */
export async function aliasRefusal(alias: string, patterns: PatternChecks): Promise<string | undefined> {
  if (alias === CATCH_ALL) return undefined;
  if (alias === "") return "is required";
  const regex = asRegexAlias(alias);
  if (regex !== undefined) {
    return await patternRefusal({ type: "regex", config: { regex, scopes: ["recipient"], forward: "" } }, patterns);
  }
  if (alias.length > ALIAS_MAX) return `may have at most ${ALIAS_MAX} characters`;
  if (ALIAS.test(alias) && isLocalPart(alias)) return undefined;
  return "must be the part of an address before the @, such as sales or o'brien, or * for every other address";
}

/** The regular expression of an alias that is one: `^sales-.+$` of `/^sales-.+$/`. */
export function asRegexAlias(alias: string): string | undefined {
  return /^\/(.+)\/$/s.exec(alias)?.[1];
}

const FORWARD_MAX = 10_000;
const SHOWN_MAX = 60;

/**
 * Why a list of destinations is not valid, as text that follows the field's name. Undefined if it is valid: email
 * addresses and webhooks, separated by commas with optional spaces.
 */
export function forwardRefusal(forward: string): string | undefined {
  if (forward.trim() === "") return "is required";
  if (forward.length > FORWARD_MAX) return `may have at most ${FORWARD_MAX} characters`;
  for (const destination of destinationsOf(forward)) {
    const refusal = destinationRefusal(destination);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The destinations of a list: addresses and webhooks. */
export function destinationsOf(forward: string): string[] {
  return forward.split(",").map((destination) => destination.trim());
}

/** Whether a destination is a webhook; otherwise it is an address. */
export function isWebhook(destination: string): boolean {
  return /^https?:/i.test(destination);
}

function destinationRefusal(destination: string): string | undefined {
  if (destination === "") return "has an empty destination: two commas in a row, or a comma at either end";
  if (isWebAddress(destination) || isEmailAddress(destination)) return undefined;
  const harmless = withoutLogin(destination);
  const shown = harmless.length > SHOWN_MAX ? `${harmless.slice(0, SHOWN_MAX)}…` : harmless;
  return `has an invalid forward address: ${JSON.stringify(shown)} is neither an email address nor an http or https URL`;
}

/** A string that may be an invalid URL, without what may be its user name and password. */
function withoutLogin(text: string): string {
  return localPartOf(text).includes(":") ? `…@${domainOf(text)}` : text;
}
