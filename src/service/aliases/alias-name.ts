import { type PatternChecks, patternRefusal } from "../rules/pattern-check.js";

const ALIAS_MAX = 64;
const ALIAS = /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*$/i;
const CATCH_ALL = "*";

/**
 * Why a text cannot be an alias, in words that follow the field's name; undefined where it can. An alias is a local
 * part, `*` for every other one, or a regular expression between slashes.
 *
 * @example
 * await aliasRefusal("sales.eu", patterns); // undefined
 */
export async function aliasRefusal(alias: string, patterns: PatternChecks): Promise<string | undefined> {
  if (alias === CATCH_ALL) return undefined;
  if (alias === "") return "is required";
  const regex = asRegexAlias(alias);
  if (regex !== undefined) {
    return await patternRefusal({ type: "regex", config: { regex, scopes: ["recipient"], forward: "" } }, patterns);
  }
  if (alias.length > ALIAS_MAX) return `may have at most ${ALIAS_MAX} characters`;
  if (ALIAS.test(alias)) return undefined;
  return "must be what stands before the @: letters, digits, _, +, - and single dots between them; or * for every other";
}

/** The regular expression of an alias that is one, as `^sales-.+$` of `/^sales-.+$/`. */
export function asRegexAlias(alias: string): string | undefined {
  return /^\/(.+)\/$/s.exec(alias)?.[1];
}
