import { notFound } from "../http/api-error.js";
import type { RuleRecord, RuleStore } from "../store/rules.js";

/**
 * The domain's rule with this id.
 *
 * @throws ApiError (404) if there is none.
 */
export function findRule(rules: RuleStore, domainId: number, id: string): RuleRecord {
  const rule = rules.find(domainId, id);
  if (!rule) throw notFound("There is no such rule on the domain.");
  return rule;
}
