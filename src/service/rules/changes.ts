import { randomUUID } from "node:crypto";
import { invalidFields } from "../http/api-error.js";
import type { ServiceContext } from "../context.js";
import { refuseOverLimit } from "../account/plan.js";
import type { AccountRecord } from "../store/accounts.js";
import type { RuleRecord } from "../store/rules.js";
import { type NewRule, readRuleChanges, type RuleChanges } from "./check-rule.js";
import { findRule } from "./find.js";

/**
 * Adds a rule to a domain, ranked after all active rules unless it has a rank.
 *
 * @throws ApiError (400) if its id is taken, if no higher rank exists, or if the account has reached its plan's limit.
 */
export function addRule(
  { store, clock }: ServiceContext,
  account: AccountRecord,
  domainId: number,
  rule: NewRule,
): RuleRecord {
  const { kind, id = randomUUID(), active = true } = rule;
  if (store.rules.isTaken(id)) throw invalidFields({ id: ["id is already taken by another rule"] });
  refuseOverLimit(account, "rules_limit", store.rules.count(account.id));
  const rank = rule.rank ?? rankAfter(store.rules.highestRank(domainId));
  return store.rules.create(domainId, { id, kind, rank, active }, clock.now());
}

/** The rank plus one, or the next representable number if that is further away. */
function rankAfter(highest = 0): number {
  const rank = highest + Math.max(1, Math.abs(highest) * Number.EPSILON);
  if (rank === Infinity)
    throw invalidFields({ rank: ["rank is required: another rule has the highest possible rank"] });
  return rank;
}

/**
 * Changes one of the domain's rules. What its configuration must contain depends on the rule, so a missing rule is
 * reported first.
 *
 * @throws ApiError: 404 if there is no such rule, 400 with every invalid field.
 */
export async function updateRule(
  context: ServiceContext,
  domainId: number,
  id: string,
  body: Record<string, unknown>,
): Promise<RuleRecord> {
  const { rules } = context.store;
  const { kind } = findRule(rules, domainId, id);
  const changes = await readRuleChanges(kind.type, body, context.patterns, "required");
  return changeRule(context, findRule(rules, domainId, id), changes);
}

/** Changes a rule. Its type and id stay. */
export function changeRule({ store, clock }: ServiceContext, rule: RuleRecord, changes: RuleChanges): RuleRecord {
  const { kind = rule.kind, rank = rule.rank, active = rule.active } = changes;
  return store.rules.update(rule.seq, { kind, rank, active }, clock.now());
}
