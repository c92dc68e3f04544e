import { randomUUID } from "node:crypto";
import { invalidFields } from "../api-error.js";
import type { ServiceContext } from "../context.js";
import { refuseOverLimit } from "../plan.js";
import type { AccountRecord } from "../store/accounts.js";
import type { RuleRecord } from "../store/rules.js";
import type { NewRule, RuleChanges } from "./check-rule.js";

/**
 * Adds a rule to a domain: after all that are there and active, unless it says otherwise.
 *
 * @throws ApiError (400) where its id is taken, or the account has as many rules as its plan allows.
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
  const rank = rule.rank ?? (store.rules.highestRank(domainId) ?? 0) + 1;
  return store.rules.create(domainId, { id, kind, rank, active }, clock.now());
}

/** Changes a rule; its type and id stay. */
export function changeRule({ store, clock }: ServiceContext, rule: RuleRecord, changes: RuleChanges): RuleRecord {
  const { kind = rule.kind, rank = rule.rank, active = rule.active } = changes;
  return store.rules.update(rule.seq, { kind, rank, active }, clock.now());
}
