import type { z } from "zod";
import type { Caller, CallOptions } from "../calls/caller.js";
import * as PATHS from "../contract/v4/paths.js";
import type { Rule } from "../contract/v4/rules.js";
import { type BatchCalls, batchCalls } from "./batch-calls.js";
import { lazily } from "./lazily.js";
import type { NewRule, RuleChanges, RuleUpdate } from "./rule-changes.js";

/** Calls that write rules, the same in both versions apart from a rule's fields; batches return version 4's. */
export interface RuleWriteCalls<OneRule> extends BatchCalls<NewRule, RuleUpdate, Rule> {
  /**
   * @example
   * const config = { regex: "^invoice-\\d+$", scopes: ["recipient"], forward: "books@example.org" } as const;
   * await client.rules.create("example.com", { type: "regex", config });
   */
  create(domain: string, rule: NewRule, options?: CallOptions): Promise<OneRule>;
  /** The configuration is required, and must fit the rule's type, which cannot change. */
  update(domain: string, id: string, changes: RuleChanges, options?: CallOptions): Promise<OneRule>;
  delete(domain: string, id: string, options?: CallOptions): Promise<void>;
}

const batches = lazily(async () => {
  const { rulesAddedResponse, rulesUpdatedResponse } = await import("../contract/v4/rules.js");
  return { added: rulesAddedResponse, updated: rulesUpdatedResponse };
});

export function ruleWriteCalls<OneRule>(
  caller: Caller,
  contract: () => Promise<{ readonly ruleResponse: z.ZodType<{ rule: OneRule }> }>,
): RuleWriteCalls<OneRule> {
  const response = async () => (await contract()).ruleResponse;
  return {
    ...batchCalls<NewRule, RuleUpdate, Rule>(caller, PATHS.ruleBatch, "rules", batches),
    async create(domain, body, options) {
      const request = { method: "POST", endpoint: PATHS.rules, parameters: { domain }, body } as const;
      return (await caller.ask(request, response, options)).rule;
    },
    async update(domain, rule, body, options) {
      const request = { method: "PUT", endpoint: PATHS.rule, parameters: { domain, rule }, body } as const;
      return (await caller.ask(request, response, options)).rule;
    },
    async delete(domain, rule, options) {
      await caller.tell({ method: "DELETE", endpoint: PATHS.rule, parameters: { domain, rule } }, options);
    },
  };
}
