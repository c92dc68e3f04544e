import { asRegexAlias } from "../aliases/alias-name.js";
import type { RuleRecord } from "../store/rules.js";
import type { PatternAnswer, RoutedMessage } from "./pattern-protocol.js";
import type { Patterns } from "./patterns.js";

/** Where a message goes by the rules of its domain. */
export interface Routing {
  /** The first rule that matches; without one, no rule is for this message. */
  readonly rule?: RuleRecord;
  /** Rules before it that could not be evaluated, and so don't match, with the reasons. */
  readonly failed: readonly { readonly rule: RuleRecord; readonly reason: string }[];
}

/**
 * Which of a domain's rules a message is for: the first, in the order given, that matches.
 *
 * An alias rule is for the mails to its alias, in any case, and one for `*` for all. A regular expression has to be
 * found in one of the parts of the mail that its scopes name. A CEL expression has to be true, with the message as its
 * variables: `sender`, `recipient`, `subject` and `body` are strings, `headers` is a map from names in lower case to
 * strings.
 *
 * @example
 * const { rule } = await routeByRules(store.rules.active(domain.id), message, patterns);
 * rule?.kind.config.forward; // "ada@example.com,https://example.com/hook"
 */
export async function routeByRules(
  rules: readonly RuleRecord[],
  message: RoutedMessage,
  patterns: Patterns,
): Promise<Routing> {
  const failed = [];
  for (const rule of rules) {
    const answer = await tryRule(rule, message, patterns);
    if ("reason" in answer) failed.push({ rule, reason: answer.reason });
    else if (answer.matched) return { rule, failed };
  }
  return { failed };
}

async function tryRule({ kind }: RuleRecord, message: RoutedMessage, patterns: Patterns): Promise<PatternAnswer> {
  if (kind.type !== "alias") return await patterns.match(kind, message);
  const { alias, forward } = kind.config;
  const localPart = message.recipient.slice(0, Math.max(message.recipient.lastIndexOf("@"), 0));
  const regex = asRegexAlias(alias);
  if (regex === undefined) {
    return { matched: alias === "*" || alias.toLowerCase() === localPart.toLowerCase() };
  }
  return await patterns.match(
    { type: "regex", config: { regex, scopes: ["recipient"], forward } },
    { ...message, recipient: localPart },
  );
}
