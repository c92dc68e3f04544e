import type { z } from "zod";
import type { Caller, CallOptions } from "../calls/caller.js";
import type { ChangedRulesV3, RulePageV3, RuleV3 } from "../contract/v3/rules.js";
import * as PATHS_V3 from "../contract/v3/paths.js";
import * as PATHS from "../contract/v4/paths.js";
import type {
  AnsweredRuleKind,
  NewRuleBody,
  Rule,
  RuleChangesBody,
  RuleOrder,
  RulePage,
  RuleUpdateBody,
  UnlistedRuleConfig,
} from "../contract/v4/rules.js";
import { type All, type BatchCalls, batchCalls, deleteAllCall, inBatches } from "./batches.js";
import { byNumber } from "./pages.js";

/** A deeply readonly version of a type, which accepts values declared `as const`. */
export type ReadOnly<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: ReadOnly<Value[Key]> }
    : Value;

/**
 * Configurations that were read can be sent back, so requests also accept values that the documentation does not list.
 */
type ListedConfig = Exclude<AnsweredRuleKind["config"], UnlistedRuleConfig>;

type KeyOf<Config> = Config extends unknown ? keyof Config : never;

/** The properties of one type's configuration, and none of another's. */
type Alone<Config> = Config extends unknown
  ? Config & { readonly [Other in Exclude<KeyOf<ListedConfig>, keyof Config>]?: never }
  : never;

/** The configuration of a rule for an alias, a regular expression or a CEL expression, or of a type that was read. */
export type OneRuleConfig = ReadOnly<Alone<ListedConfig> | UnlistedRuleConfig>;

/** A rule to add. */
export type NewRule = ReadOnly<Pick<NewRuleBody, "rank" | "active" | "id"> & AnsweredRuleKind>;

/** The changes for updating one rule. */
export type RuleChanges = Omit<RuleChangesBody, "config"> & { readonly config: OneRuleConfig };

/** An entry for updating several rules; absent fields stay unchanged. */
export type RuleUpdate = Omit<RuleUpdateBody, "config"> & { readonly config?: OneRuleConfig };

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

async function batches() {
  const { rulesAddedResponse, rulesUpdatedResponse } = await import("../contract/v4/rules.js");
  return { added: rulesAddedResponse, updated: rulesUpdatedResponse };
}

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

const contract = () => import("../contract/v4/rules.js");

export function ruleCalls(caller: Caller): RuleCalls {
  const page: RuleCalls["page"] = (domain, query = {}, options) => {
    const request = { method: "GET", endpoint: PATHS.rules, parameters: { domain }, query: { ...query } } as const;
    return caller.ask(request, async () => (await contract()).ruleListResponse, options);
  };

  return {
    ...ruleWriteCalls(caller, contract),
    page,
    list: (domain, filter, options) =>
      byNumber((number) => page(domain, { ...filter, page: number }, options), "rules", "id"),
    async get(domain, rule, options) {
      const request = { method: "GET", endpoint: PATHS.rule, parameters: { domain, rule } } as const;
      return (await caller.ask(request, async () => (await contract()).ruleResponse, options)).rule;
    },
    deleteAll: deleteAllCall(caller, PATHS.rules, "rules", async () => (await deletions()).deletedAllResponse),
  };
}

const deletions = () => import("../contract/batch.js");

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

const contractV3 = () => import("../contract/v3/rules.js");

export function ruleCallsV3(caller: Caller): RuleCallsV3 {
  const page: RuleCallsV3["page"] = (domain, { query: search, ...filter } = {}, options) => {
    const query = { ...filter, search };
    const request = { method: "GET", endpoint: PATHS.rules, parameters: { domain }, query } as const;
    return caller.ask(request, async () => (await contractV3()).ruleListResponse, options);
  };

  return {
    ...ruleWriteCalls(caller, contractV3),
    page,
    list: (domain, filter, options) =>
      byNumber((number) => page(domain, { ...filter, page: number }, options), "rules", "id"),
    async get(domain, rule, options) {
      const request = { method: "GET", endpoint: PATHS.rule, parameters: { domain, rule } } as const;
      return caller.ask(request, async () => (await contractV3()).ruleSchema, options);
    },
    deleteAll: deleteAllCall(caller, PATHS_V3.rulesAll, "rules", async () => (await success()).deletedAllResponse),
    bulk: (domain: string, behavior: "add" | "update" | "delete", rules: readonly object[], options?: CallOptions) =>
      inBatches<object, ChangedRulesV3>(
        rules,
        async (part, start) => {
          const body = { rules: part, behavior };
          const request = { method: "POST", endpoint: PATHS_V3.ruleBulk, parameters: { domain }, body } as const;
          const answer = await caller.ask(request, async () => (await contractV3()).rulesChangedResponse, options);
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

const success = () => import("../contract/v3/formats.js");

/** Moves an error of a part to its position in the whole, if it has one: the format of errors is not documented. */
function movedError(error: unknown, start: number): unknown {
  if (typeof error !== "object" || error === null || !("index" in error) || typeof error.index !== "number")
    return error;
  return { ...error, index: error.index + start };
}
