import { localPartKey, localPartOf } from "../address.js";
import { asRegexAlias } from "../alias-fields.js";
import type { ServiceContext } from "../context.js";
import type { Match, Pattern, RoutedMessage, TextPattern } from "../patterns/patterns.js";
import type { AliasRecord } from "../store/aliases.js";
import type { DomainRecord } from "../store/domains.js";
import type { RuleRecord } from "../store/rules.js";

/** Where a domain forwards an email to, and why. */
export interface Routing {
  /** Comma-separated, as in aliases and rules. Undefined if nothing matches. */
  readonly forward?: string;
  /** What matched, as in `alias "sales"`. */
  readonly by?: string;
  /** Rules and aliases that could not be evaluated and therefore do not match, with the reasons. */
  readonly failed: readonly FailedPattern[];
}

export interface FailedPattern {
  /** As in `by`. */
  readonly name: string;
  readonly reason: string;
}

/** The parts of an email that are only known when all of it has arrived. */
export type RoutedContent = Omit<RoutedMessage, "sender" | "recipient">;

type Stores = Pick<ServiceContext["store"], "aliases" | "rules">;

/**
 * Finds out where a domain forwards an email to.
 *
 * With the engine `alias`, the exact alias comes first, then aliases that are regular expressions, in order of creation, then the
 * catch-all `*`. With `rules`, the active rules are tried in order of rank, then the domain's fallback address is used.
 *
 * @param match Limited to the time of the email, for all of its recipients.
 */
export async function route(
  domain: DomainRecord,
  message: RoutedMessage,
  { aliases, rules }: Stores,
  match: Match,
): Promise<Routing> {
  if (domain.routingEngine === "alias") return await routeByAlias(domain, message, aliases, match);
  const routing = await routeByRules(rules.active(domain), message, match);
  if (routing.rule) return { ...routing, forward: routing.rule.kind.config.forward, by: describeRule(routing.rule) };
  const fallback = domain.rulesFallbackEmail;
  return fallback === null ? routing : { ...routing, forward: fallback, by: "the rules' fallback address" };
}

async function routeByAlias(
  { id }: DomainRecord,
  message: RoutedMessage,
  aliases: Stores["aliases"],
  match: Match,
): Promise<Routing> {
  const localPart = localPartOf(message.recipient);
  const nameOfAlias = ({ alias }: AliasRecord) => `alias "${alias}"`;
  const exact = localPart === "*" ? undefined : aliases.findByName(id, localPart);
  if (exact) return { forward: exact.forward, by: nameOfAlias(exact), failed: [] };
  const candidates = aliases.regexes(id).map((alias) => ({
    item: alias,
    name: nameOfAlias(alias),
    pattern: regexAlias(asRegexAlias(alias.alias) ?? "", localPart),
  }));
  const { first = aliases.findByName(id, "*"), failed } = await firstOf(candidates, message, match);
  return first ? { forward: first.forward, by: nameOfAlias(first), failed } : { failed };
}

/**
 * Finds the first of a domain's rules that matches a message, in the given order.
 *
 * An alias rule matches emails to its alias, case-insensitively; one for `*` matches all. A regular expression must
 * match one of the parts of the email that its scopes name. A CEL expression must be true, with the message as its
 * variables: `sender`, `recipient`, `subject` and `body` are strings, `headers` is a map from lower-case names to
 * strings.
 */
export async function routeByRules(
  rules: readonly RuleRecord[],
  message: RoutedMessage,
  match: Match,
): Promise<{ readonly rule?: RuleRecord; readonly failed: readonly FailedPattern[] }> {
  const localPart = localPartOf(message.recipient);
  // Names are compared here; only patterns need the thread.
  const named = rules.find(({ kind }) => kind.type === "alias" && isNamed(kind.config.alias, localPart));
  const candidates = (named ? rules.slice(0, rules.indexOf(named)) : rules).flatMap((rule) => {
    const pattern = patternOf(rule, localPart);
    return pattern ? { item: rule, name: nameOf(rule), pattern } : [];
  });
  const { first = named, failed } = await firstOf(candidates, message, match);
  return { ...(first && { rule: first }), failed };
}

function isNamed(alias: string, localPart: string): boolean {
  return alias === "*" || localPartKey(alias) === localPartKey(localPart);
}

/** The pattern of a rule. Undefined if it is for a single name. */
function patternOf({ kind }: RuleRecord, localPart: string): Pattern | TextPattern | undefined {
  if (kind.type !== "alias") return kind;
  const regex = asRegexAlias(kind.config.alias);
  return regex === undefined ? undefined : regexAlias(regex, localPart);
}

function regexAlias(regex: string, localPart: string): TextPattern {
  return { type: "text", regex, text: localPart };
}

interface Candidate<Item> {
  readonly item: Item;
  readonly name: string;
  readonly pattern: Pattern | TextPattern;
}

/** The first item whose pattern matches. */
async function firstOf<Item>(
  candidates: readonly Candidate<Item>[],
  message: RoutedMessage,
  match: Match,
): Promise<{ readonly first?: Item; readonly failed: readonly FailedPattern[] }> {
  const { index, failed } = await match(
    candidates.map(({ pattern }) => pattern),
    message,
  );
  const first = index === undefined ? undefined : candidates[index]?.item;
  return {
    ...(first !== undefined && { first }),
    failed: failed.map(({ index: at, reason }) => ({ name: candidates[at]?.name ?? "", reason })),
  };
}

/** Without its pattern, because senders see it. */
function nameOf({ rank }: RuleRecord): string {
  return `rule ${rank}`;
}

const PATTERN_SHOWN = 60;

/** For the log, by rank and what it matches: `rule 3 "sales"`, `rule 3 /invoice/`, `rule 3 (subject == "invoice")`. */
function describeRule({ rank, kind: { type, config } }: RuleRecord): string {
  if (type === "alias") return `rule ${rank} "${config.alias}"`;
  const pattern = (type === "regex" ? config.regex : config.expression).replace(/\s+/g, " ");
  const shown = pattern.length > PATTERN_SHOWN ? `${pattern.slice(0, PATTERN_SHOWN)}…` : pattern;
  return `rule ${rank} ${type === "regex" ? `/${shown}/` : `(${shown})`}`;
}
