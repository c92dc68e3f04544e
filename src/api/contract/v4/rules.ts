import { z } from "zod";
import { BATCH_MAX, PAGE_LIMIT } from "../../limits.js";
import { addedResponse, updatedResponse } from "../batch.js";
import { answeredRuleOf, ruleConfigSchema, ruleOf } from "../rule-config.js";
import { timestampSchema } from "./timestamp.js";

export const ruleSchema = answeredRuleOf({
  /** A UUID. */
  id: z.string(),
  /** Rules are tried from the lowest rank on. */
  rank: z.number(),
  active: z.boolean(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});

/** What `GET /domains/:domain/rules` takes, as strings from the address. */
export const ruleListQuery = z.object({
  query: z.string().optional(),
  order: z.enum(["rank_asc", "rank_desc", "created_asc", "created_desc"]).default("rank_asc"),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT.max).default(PAGE_LIMIT.default),
  page: z.coerce.number().int().min(1).default(1),
});

const settings = {
  /** Default: after all that are there. */
  rank: z.number().optional(),
  active: z.boolean().optional(),
};

/** The body of `POST /domains/:domain/rules`, and an entry of the batch. */
export const newRuleSchema = ruleOf({
  ...settings,
  /** A UUID; the service makes one where it is missing. */
  id: z.guid().optional(),
});

/** The body of `PUT /domains/:domain/rules/:rule`. The configuration has to fit the rule's type, which stays. */
export const ruleChangesSchema = z.object({ config: ruleConfigSchema, ...settings });

/** An entry of `PUT /domains/:domain/rules/batch`. */
export const ruleUpdateSchema = z.object({ id: z.string(), config: ruleConfigSchema.optional(), ...settings });

export const newRuleBatchSchema = z.object({
  rules: z.array(newRuleSchema).max(BATCH_MAX, `rules may have at most ${BATCH_MAX} items`),
});
export const ruleUpdateBatchSchema = z.object({
  rules: z.array(ruleUpdateSchema).max(BATCH_MAX, `rules may have at most ${BATCH_MAX} items`),
});

export const ruleListResponse = z.object({
  rules: z.array(ruleSchema),
  limit: z.int(),
  page: z.int(),
  total: z.int(),
});

export const ruleResponse = z.object({ rule: ruleSchema });
export const rulesAddedResponse = addedResponse(ruleSchema);
export const rulesUpdatedResponse = updatedResponse(ruleSchema);

export type Rule = z.infer<typeof ruleSchema>;
export type RulePage = z.infer<typeof ruleListResponse>;
export type RuleOrder = z.infer<typeof ruleListQuery>["order"];
export type NewRule = z.infer<typeof newRuleSchema>;
export type RuleChanges = z.infer<typeof ruleChangesSchema>;
export type RuleUpdate = z.infer<typeof ruleUpdateSchema>;
