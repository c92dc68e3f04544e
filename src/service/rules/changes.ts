import { randomUUID } from "node:crypto";
import { invalidFields } from "../http/api-error.js";
import type { ServiceContext } from "../context.js";
import { refuseOverLimit } from "../account/plan.js";
import type { AccountRecord } from "../store/accounts.js";
import type { RuleRecord } from "../store/rules.js";
import { type NewRule, readRuleChanges, type RuleChanges } from "./check-rule.js";
import { findRule } from "./find.js";

/**
 * Adds a rule to a domain: after all that are there and active, unless it says otherwise.
 *
 * @throws ApiError (400) where its id is taken, no rank is left after the others, or the account has as many rules as its plan allows.
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

/** One more; where numbers are further apart than that, the next one or the one after it. */
function rankAfter(highest = 0): number {
  const rank = highest + Math.max(1, Math.abs(highest) * Number.EPSILON);
  if (rank === Infinity)
    throw invalidFields({ rank: ["rank is required: a rule has the highest number that there is"] });
  return rank;
}

/**
 * Changes one of the domain's rules as a body says. What its configuration has to be depends on the rule, so that a
 * missing one is refused first.
 *
 * @throws ApiError: 404 where there is no such rule, 400 with every field that is wrong.
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

/** Changes a rule; its type and id stay. */
export function changeRule({ store, clock }: ServiceContext, rule: RuleRecord, changes: RuleChanges): RuleRecord {
  const { kind = rule.kind, rank = rule.rank, active = rule.active } = changes;
  return store.rules.update(rule.seq, { kind, rank, active }, clock.now());
}
