import { isLocalPart } from "../outbound/address.js";
import { type PatternChecks, patternRefusal } from "../rules/pattern-check.js";

const ALIAS_MAX = 64;
/** ASCII without `*`, and no `/` at the beginning: `*` is the catch-all, and a regular expression begins with `/`. */
const ALIAS = /^(?!\/)[!-)+-~]+$/;
const CATCH_ALL = "*";

/**
 * Why a text cannot be an alias, in words that follow the field's name; undefined where it can. An alias is a local
 * part in ASCII, `*` for every other one, or a regular expression between slashes.
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

/** The regular expression of an alias that is one, as `^sales-.+$` of `/^sales-.+$/`. */
export function asRegexAlias(alias: string): string | undefined {
  return /^\/(.+)\/$/s.exec(alias)?.[1];
}
