import { badRequest } from "../http/api-error.js";
import { readId } from "../http/batch.js";
import type { RuleStore } from "../store/rules.js";
import { readRuleChanges, type RuleChanges } from "./check-rule.js";
import { findRule } from "./find.js";
import type { PatternChecks } from "./pattern-check.js";

/**
 * Reads an entry that updates one of the domain's rules: its id and at least one of `config`, `rank` and `active`.
 *
 * @throws ApiError (400, or 404 if the domain has no such rule).
 */
export async function readRuleUpdate(
  rules: RuleStore,
  domainId: number,
  entry: Record<string, unknown>,
  patterns: PatternChecks,
): Promise<{ readonly id: string; readonly changes: RuleChanges }> {
  const id = readId(entry);
  const { kind } = findRule(rules, domainId, id);
  const changes = await readRuleChanges(kind.type, entry, patterns, "optional");
  if (Object.keys(changes).length === 0) throw badRequest("The entry has no fields to update.");
  return { id, changes };
}
