import { z } from "zod";
import { BATCH_MAX, PAGE_LIMIT_V3 } from "../../limits.js";
import { answeredRuleOf } from "../rule-config.js";
import { bulkBehaviorSchema } from "./aliases.js";
import { success } from "./success.js";
import { timestampSchema } from "./timestamp.js";

/** What `GET /domains/:domain/rules/:rule` answers, as it is. */
export const ruleSchema = answeredRuleOf({
  /** A UUID. */
  id: z.string(),
  /** Rules are tried from the lowest rank on. */
  rank: z.number(),
  active: z.boolean(),
  /** Milliseconds; seconds where a rule was just updated, and in bulk. */
  created: timestampSchema,
});

/** What `GET /domains/:domain/rules` takes, as strings from the address. */
export const ruleListQuery = z.object({
  search: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_V3.rules.max).default(PAGE_LIMIT_V3.rules.default),
  page: z.coerce.number().int().min(1).default(1),
});

/** The body of `POST /domains/:domain/rules/bulk`; what its entries need depends on `behavior`. */
export const ruleBulkSchema = z.object({
  rules: z.array(z.record(z.string(), z.unknown())).max(BATCH_MAX, `rules may have at most ${BATCH_MAX} items`),
  behavior: bulkBehaviorSchema.default("add"),
});

export const ruleListResponse = z.object({
  rules: z.array(ruleSchema),
  limit: z.int(),
  page: z.int(),
  total: z.int(),
  ...success,
});

/** What adding and updating a rule answer. */
export const ruleResponse = z.object({ rule: ruleSchema, ...success });

/** What a bulk answers: a result for each entry that was done. The forms of `errors` and of a deleted rule are not documented. */
export const rulesChangedResponse = z.object({
  errors: z.array(z.unknown()),
  results: z.array(z.object({ operation: z.string(), rule: z.unknown(), success: z.boolean() })),
  success: z.boolean(),
});

export type RuleV3 = z.infer<typeof ruleSchema>;
export type RulePageV3 = z.infer<typeof ruleListResponse>;
export type ChangedRulesV3 = z.infer<typeof rulesChangedResponse>;
