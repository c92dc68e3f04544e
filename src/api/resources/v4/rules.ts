import type { Caller, CallOptions } from "../../calls/caller.js";
import { PATHS } from "../../contract/v4/paths.js";
import type { Rule, RuleOrder, RulePage } from "../../contract/v4/rules.js";
import { lazily } from "../lazily.js";
import { byNumber } from "../pages.js";
import { type BatchCalls, batchCalls } from "../batch-calls.js";
import { type All, requireAll } from "../guard.js";
import type { NewRule, RuleChanges, RuleUpdate } from "../rule-changes.js";

export interface RuleFilter {
  /** A part of the rule. */
  readonly query?: string;
  /** Default `rank_asc`: as they are tried. */
  readonly order?: RuleOrder;
  /** Rules on a page: 1 to 200. Default 20. */
  readonly limit?: number;
}

/** A rule's `type` says which `config` it has: an alias', a regular expression's or a CEL expression's. */
export interface RuleCalls extends BatchCalls<NewRule, RuleUpdate, Rule> {
  /** Every rule that fits, read page by page while it is iterated. */
  list(domain: string, filter?: RuleFilter, options?: CallOptions): AsyncIterable<Rule>;
  /** One page; pages count from 1. */
  page(domain: string, filter?: RuleFilter & { readonly page?: number }, options?: CallOptions): Promise<RulePage>;
  get(domain: string, id: string, options?: CallOptions): Promise<Rule>;
  /**
   * @example
   * const config = { regex: "^invoice-\\d+$", scopes: ["recipient"], forward: "books@example.org" } as const;
   * await client.rules.create("example.com", { type: "regex", config });
   */
  create(domain: string, rule: NewRule, options?: CallOptions): Promise<Rule>;
  /** The configuration has to be given, and fits the rule's type, which stays. */
  update(domain: string, id: string, changes: RuleChanges, options?: CallOptions): Promise<Rule>;
  delete(domain: string, id: string, options?: CallOptions): Promise<void>;
  /**
   * Deletes every rule of the domain, and says how many there were.
   *
   * @example
   * await client.rules.deleteAll("example.com", { all: true });
   */
  deleteAll(domain: string, guard: All, options?: CallOptions): Promise<number>;
}

const contract = lazily(() => import("../../contract/v4/rules.js"));
const ruleResponse = async () => (await contract()).ruleResponse;

export function ruleCalls(caller: Caller): RuleCalls {
  const page: RuleCalls["page"] = (domain, query = {}, options) => {
    const request = { method: "GET", endpoint: PATHS.rules, parameters: { domain }, query: { ...query } } as const;
    return caller.ask(request, async () => (await contract()).ruleListResponse, options);
  };

  return {
    ...ruleBatches(caller),
    page,
    list: (domain, filter, options) =>
      byNumber(
        async (number) => {
          const { rules, total } = await page(domain, { ...filter, page: number }, options);
          return { items: rules, total };
        },
        ({ id }) => id,
      ),
    async get(domain, rule, options) {
      const request = { method: "GET", endpoint: PATHS.rule, parameters: { domain, rule } } as const;
      return (await caller.ask(request, ruleResponse, options)).rule;
    },
    async create(domain, body, options) {
      const request = { method: "POST", endpoint: PATHS.rules, parameters: { domain }, body } as const;
      return (await caller.ask(request, ruleResponse, options)).rule;
    },
    async update(domain, rule, body, options) {
      const request = { method: "PUT", endpoint: PATHS.rule, parameters: { domain, rule }, body } as const;
      return (await caller.ask(request, ruleResponse, options)).rule;
    },
    async delete(domain, rule, options) {
      await caller.tell({ method: "DELETE", endpoint: PATHS.rule, parameters: { domain, rule } }, options);
    },
    async deleteAll(domain, guard, options) {
      requireAll(guard, "rules");
      const query = { all: true };
      const request = { method: "DELETE", endpoint: PATHS.rules, parameters: { domain }, query } as const;
      return (await caller.ask(request, async () => (await batches()).deletedAllResponse, options)).deleted;
    },
  };
}

const batches = lazily(() => import("../../contract/batch.js"));

/** Batches of rules, which are the same in both versions. */
export function ruleBatches(caller: Caller): BatchCalls<NewRule, RuleUpdate, Rule> {
  return batchCalls(caller, PATHS.ruleBatch, "rules", async () => {
    const { rulesAddedResponse, rulesUpdatedResponse } = await contract();
    return { added: rulesAddedResponse, updated: rulesUpdatedResponse };
  });
}
