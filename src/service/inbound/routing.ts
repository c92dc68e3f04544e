import { localPartKey } from "../address.js";
import { asRegexAlias } from "../alias-fields.js";
import type { ServiceContext } from "../context.js";
import type { Match, RoutedMessage } from "../patterns/patterns.js";
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
  const routing = await routeByRules(rules.active(domain.id), message, match);
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
  const failed: FailedPattern[] = [];
  const chosen = ({ alias, forward }: AliasRecord): Routing => ({ forward, by: `alias "${alias}"`, failed });
  const exact = localPart === "*" ? undefined : aliases.findByName(id, localPart);
  if (exact) return chosen(exact);
  for (const alias of aliases.regexes(id)) {
    const answer = await matchRegexAlias(asRegexAlias(alias.alias) ?? "", message, match);
    if ("reason" in answer) failed.push({ name: `alias "${alias.alias}"`, reason: answer.reason });
    else if (answer.matched) return chosen(alias);
  }
  const catchAll = aliases.findByName(id, "*");
  return catchAll ? chosen(catchAll) : { failed };
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
  const failed: FailedPattern[] = [];
  for (const rule of rules) {
    const answer = await tryRule(rule, message, match);
    if ("reason" in answer) failed.push({ name: nameOf(rule), reason: answer.reason });
    else if (answer.matched) return { rule, failed };
  }
  return { failed };
}

async function tryRule({ kind }: RuleRecord, message: RoutedMessage, match: Match): ReturnType<Match> {
  if (kind.type !== "alias") return await match(kind, message);
  const { alias } = kind.config;
  const regex = asRegexAlias(alias);
  if (regex !== undefined) return await matchRegexAlias(regex, message, match);
  return { matched: alias === "*" || localPartKey(alias) === localPartKey(localPartOf(message.recipient)) };
}

async function matchRegexAlias(regex: string, message: RoutedMessage, match: Match): ReturnType<Match> {
  const recipient = localPartOf(message.recipient);
  return await match(
    { type: "regex", config: { regex, scopes: ["recipient"], forward: "" } },
    { ...message, recipient },
  );
}

/** Without its pattern, because senders see it. */
function nameOf({ id }: RuleRecord): string {
  return `rule ${id}`;
}

const PATTERN_SHOWN = 60;

/** For the log, by rank and what it matches: `rule 3 "sales"`, `rule 3 /invoice/`, `rule 3 (subject == "invoice")`. */
function describeRule({ rank, kind: { type, config } }: RuleRecord): string {
  if (type === "alias") return `rule ${rank} "${config.alias}"`;
  const pattern = (type === "regex" ? config.regex : config.expression).replace(/\s+/g, " ");
  const shown = pattern.length > PATTERN_SHOWN ? `${pattern.slice(0, PATTERN_SHOWN)}…` : pattern;
  return `rule ${rank} ${type === "regex" ? `/${shown}/` : `(${shown})`}`;
}

export function localPartOf(address: string): string {
  return address.slice(0, Math.max(address.lastIndexOf("@"), 0));
}
