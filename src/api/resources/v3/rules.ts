import { inBatches } from "../batches.js";
import type { Caller, CallOptions } from "../../calls/caller.js";
import * as PATHS from "../../contract/v3/paths.js";
import type { ChangedRulesV3, RulePageV3, RuleV3 } from "../../contract/v3/rules.js";
import { lazily } from "../lazily.js";
import { byNumber } from "../pages.js";
import { type All, requireAll } from "../guard.js";
import type { NewRule, RuleUpdate } from "../rule-changes.js";
import { type RuleWriteCalls, ruleWriteCalls } from "../rules.js";

export interface RuleFilterV3 {
  /** Part of the rule. */
  readonly query?: string;
  /** Rules per page: 1 to 100. Default 100. */
  readonly limit?: number;
}

/**
 * A rule's `type` determines its `config`: for an alias, a regular expression or a CEL expression. Batches are as in
 * version 4.
 */
export interface RuleCallsV3 extends RuleWriteCalls<RuleV3> {
  /** Every matching rule, read page by page during iteration. */
  list(domain: string, filter?: RuleFilterV3, options?: CallOptions): AsyncIterable<RuleV3>;
  /** One page; pages count from 1. */
  page(domain: string, filter?: RuleFilterV3 & { readonly page?: number }, options?: CallOptions): Promise<RulePageV3>;
  get(domain: string, id: string, options?: CallOptions): Promise<RuleV3>;
  /** Deletes every rule of the domain, and returns how many there were, if the service says so. */
  deleteAll(domain: string, guard: All, options?: CallOptions): Promise<number | undefined>;
  /**
   * Adds, updates or deletes any number of rules, in requests of at most 500. Failures are part of the result.
   *
   * @throws BatchError if one of several requests failed as a whole.
   */
  bulk(domain: string, behavior: "add", rules: readonly NewRule[], options?: CallOptions): Promise<ChangedRulesV3>;
  bulk(
    domain: string,
    behavior: "update",
    rules: readonly RuleUpdate[],
    options?: CallOptions,
  ): Promise<ChangedRulesV3>;
  bulk(
    domain: string,
    behavior: "delete",
    rules: readonly { readonly id: string }[],
    options?: CallOptions,
  ): Promise<ChangedRulesV3>;
}

const contract = lazily(() => import("../../contract/v3/rules.js"));

export function ruleCallsV3(caller: Caller): RuleCallsV3 {
  const page: RuleCallsV3["page"] = (domain, { query: search, ...filter } = {}, options) => {
    const query = { ...filter, search };
    const request = { method: "GET", endpoint: PATHS.rules, parameters: { domain }, query } as const;
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
      return caller.ask(request, async () => (await contract()).ruleSchema, options);
    },
    async deleteAll(domain, guard, options) {
      requireAll(guard, "rules");
      const query = { all: true };
      const request = { method: "DELETE", endpoint: PATHS.rulesAll, parameters: { domain }, query } as const;
      return (await caller.ask(request, async () => (await success()).deletedAllResponse, options)).deleted;
    },
    bulk: (domain: string, behavior: "add" | "update" | "delete", rules: readonly object[], options?: CallOptions) =>
      inBatches<object, ChangedRulesV3>(
        rules,
        async (part, start) => {
          const body = { rules: part, behavior };
          const request = { method: "POST", endpoint: PATHS.ruleBulk, parameters: { domain }, body } as const;
          const answer = await caller.ask(request, async () => (await contract()).rulesChangedResponse, options);
          return { ...answer, errors: answer.errors.map((error) => movedError(error, start)) };
        },
        (parts) => ({
          errors: parts.flatMap(({ errors }) => errors),
          results: parts.flatMap(({ results }) => results),
          success: parts.every((part) => part.success),
        }),
      ),
  };
}

const success = lazily(() => import("../../contract/v3/success.js"));

/** Moves an error of a part to its position in the whole, if it has one: the format of errors is not documented. */
function movedError(error: unknown, start: number): unknown {
  if (typeof error !== "object" || error === null || !("index" in error) || typeof error.index !== "number")
    return error;
  return { ...error, index: error.index + start };
}
