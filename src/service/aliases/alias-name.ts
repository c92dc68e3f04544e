import { isLocalPart } from "../outbound/address.js";
import { type PatternChecks, patternRefusal } from "../rules/pattern-check.js";

const ALIAS_MAX = 64;
/** ASCII without `*`, which is the catch-all, and without a leading `/`, which starts a regular expression. */
const ALIAS = /^(?!\/)[!-)+-~]+$/;
const CATCH_ALL = "*";

/**
 * Why a string is not a valid alias, as text that follows the field's name. Undefined if it is valid. An alias is a
 * local part in ASCII, `*` for every other address, or a regular expression between slashes.
 *
 * @example
 * await aliasRefusal("o'brien", patterns); // undefined
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
