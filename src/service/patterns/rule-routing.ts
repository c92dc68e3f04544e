import { asRegexAlias } from "../alias-fields.js";
import type { RuleRecord } from "../store/rules.js";
import type { PatternAnswer, Patterns, RoutedMessage } from "./patterns.js";

/** The result of applying a domain's rules to a message. */
export interface Routing {
  /** The first rule that matches. Undefined if none does. */
  readonly rule?: RuleRecord;
  /** Earlier rules that could not be evaluated and therefore do not match, with the reasons. */
  readonly failed: readonly { readonly rule: RuleRecord; readonly reason: string }[];
}

/**
 * Finds the first of a domain's rules that matches a message, in the given order.
 *
 * An alias rule matches emails to its alias, case-insensitively; one for `*` matches all. A regular expression must
 * match one of the parts of the email that its scopes name. A CEL expression must be true, with the message as its
 * variables: `sender`, `recipient`, `subject` and `body` are strings, `headers` is a map from lower-case names to
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
