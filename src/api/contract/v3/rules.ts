import { z } from "zod";
import { pageAnswer, pageQuery } from "../v4/formats.js";
import { BATCH_MAX, PAGE_LIMIT_V3 } from "../../limits.js";
import { answeredRuleOf } from "../v4/rules.js";
import { bulkBehaviorSchema } from "./aliases.js";
import { success, timestampSchema } from "./formats.js";

/** The answer of `GET /domains/:domain/rules/:rule`, without a wrapper. */
export const ruleSchema = answeredRuleOf({
  /** A UUID. */
  id: z.string(),
  /** Rules are tried in order of rank, the lowest first. */
  rank: z.number(),
  active: z.boolean(),
  /** Milliseconds; seconds if a rule was just updated, and in bulk. */
  created: timestampSchema,
});

/** The query of `GET /domains/:domain/rules`, as strings. */
export const ruleListQuery = z.object({
  search: z.string().optional(),
  ...pageQuery(PAGE_LIMIT_V3.rules),
});

/** The body of `POST /domains/:domain/rules/bulk`; the required fields of its entries depend on `behavior`. */
export const ruleBulkSchema = z.object({
  rules: z.array(z.record(z.string(), z.unknown())).max(BATCH_MAX, `rules may have at most ${BATCH_MAX} items`),
  behavior: bulkBehaviorSchema.default("add"),
});

export const ruleListResponse = z.object({
  rules: z.array(ruleSchema),
  ...pageAnswer,
  ...success,
});

/** The answer for adding and updating a rule. */
export const ruleResponse = z.object({ rule: ruleSchema, ...success });

/**
 * The answer of a bulk: a result for each processed entry. The formats of `errors` and of a deleted rule are not
 * documented.
 */
export const rulesChangedResponse = z.object({
  errors: z.array(z.unknown()),
  results: z.array(z.object({ operation: z.string(), rule: z.unknown(), success: z.boolean() })),
  success: z.boolean(),
});

export type RuleV3 = z.infer<typeof ruleSchema>;
export type RulePageV3 = z.infer<typeof ruleListResponse>;
export type ChangedRulesV3 = z.infer<typeof rulesChangedResponse>;
