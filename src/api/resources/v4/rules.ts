import type { Caller, CallOptions } from "../../calls/caller.js";
import * as PATHS from "../../contract/v4/paths.js";
import type { Rule, RuleOrder, RulePage } from "../../contract/v4/rules.js";
import { lazily } from "../lazily.js";
import { byNumber } from "../pages.js";
import { type All, requireAll } from "../guard.js";
import { type RuleWriteCalls, ruleWriteCalls } from "../rules.js";

export interface RuleFilter {
  /** Part of the rule. */
  readonly query?: string;
  /** Default `rank_asc`: the order in which they are tried. */
  readonly order?: RuleOrder;
  /** Rules per page: 1 to 200. Default 20. */
  readonly limit?: number;
}

/** A rule's `type` determines its `config`: for an alias, a regular expression or a CEL expression. */
export interface RuleCalls extends RuleWriteCalls<Rule> {
  /** Every matching rule, read page by page during iteration. */
  list(domain: string, filter?: RuleFilter, options?: CallOptions): AsyncIterable<Rule>;
  /** One page; pages count from 1. */
  page(domain: string, filter?: RuleFilter & { readonly page?: number }, options?: CallOptions): Promise<RulePage>;
  get(domain: string, id: string, options?: CallOptions): Promise<Rule>;
  /**
   * Deletes every rule of the domain, and returns how many there were.
   *
   * @example
   * await client.rules.deleteAll("example.com", { all: true });
   */
  deleteAll(domain: string, guard: All, options?: CallOptions): Promise<number>;
}

const contract = lazily(() => import("../../contract/v4/rules.js"));

export function ruleCalls(caller: Caller): RuleCalls {
  const page: RuleCalls["page"] = (domain, query = {}, options) => {
    const request = { method: "GET", endpoint: PATHS.rules, parameters: { domain }, query: { ...query } } as const;
    return caller.ask(request, async () => (await contract()).ruleListResponse, options);
  };

  return {
    ...ruleWriteCalls(caller, contract),
    page,
    list: (domain, filter, options) =>
      byNumber(
        (number) => page(domain, { ...filter, page: number }, options),
        ({ rules }) => rules,
        ({ id }) => id,
      ),
    async get(domain, rule, options) {
      const request = { method: "GET", endpoint: PATHS.rule, parameters: { domain, rule } } as const;
      return (await caller.ask(request, async () => (await contract()).ruleResponse, options)).rule;
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
