import type { Caller, CallOptions } from "../../calls/caller.js";
import type { Alias, AliasChanges, AliasOrder, AliasPage, NewAlias } from "../../contract/v4/aliases.js";
import * as PATHS from "../../contract/v4/paths.js";
import { type AliasId, aliasIdText, type AliasUpdate } from "../alias-id.js";
import { lazily } from "../lazily.js";
import { byNumber } from "../pages.js";
import { type BatchCalls, batchCalls } from "../batch-calls.js";
import { type All, requireAll } from "../guard.js";

export interface AliasFilter {
  /** Part of the alias or of its destinations. */
  readonly query?: string;
  /** Default `name_asc`. */
  readonly order?: AliasOrder;
  /** Aliases per page: 1 to 200. Default 20. */
  readonly limit?: number;
}

/** Creating batches requires a paid plan. */
export interface AliasCalls extends BatchCalls<NewAlias, AliasUpdate, Alias, AliasId> {
  /** Every matching alias, read page by page during iteration. */
  list(domain: string, filter?: AliasFilter, options?: CallOptions): AsyncIterable<Alias>;
  /** One page; pages count from 1. */
  page(domain: string, filter?: AliasFilter & { readonly page?: number }, options?: CallOptions): Promise<AliasPage>;
  get(domain: string, id: AliasId, options?: CallOptions): Promise<Alias>;
  create(domain: string, alias: NewAlias, options?: CallOptions): Promise<Alias>;
  update(domain: string, id: AliasId, changes: AliasChanges, options?: CallOptions): Promise<Alias>;
  delete(domain: string, id: AliasId, options?: CallOptions): Promise<void>;
  /**
   * Deletes every alias of the domain, and returns how many there were.
   *
   * @example
   * await client.aliases.deleteAll("example.com", { all: true });
   */
  deleteAll(domain: string, guard: All, options?: CallOptions): Promise<number>;
}

const contract = lazily(() => import("../../contract/v4/aliases.js"));
const aliasResponse = async () => (await contract()).aliasResponse;

export function aliasCalls(caller: Caller): AliasCalls {
  const page: AliasCalls["page"] = (domain, query = {}, options) => {
    const request = { method: "GET", endpoint: PATHS.aliases, parameters: { domain }, query: { ...query } } as const;
    return caller.ask(request, async () => (await contract()).aliasListResponse, options);
  };

  return {
    ...aliasBatches(caller),
    page,
    list: (domain, filter, options) =>
      byNumber(
        (number) => page(domain, { ...filter, page: number }, options),
        ({ aliases }) => aliases,
        ({ id }) => id,
      ),
    async get(domain, id, options) {
      const parameters = { domain, id: aliasIdText(id) };
      const request = { method: "GET", endpoint: PATHS.alias, parameters } as const;
      return (await caller.ask(request, aliasResponse, options)).alias;
    },
    async create(domain, body, options) {
      const request = { method: "POST", endpoint: PATHS.aliases, parameters: { domain }, body } as const;
      return (await caller.ask(request, aliasResponse, options)).alias;
    },
    async update(domain, id, body, options) {
      const parameters = { domain, id: aliasIdText(id) };
      const request = { method: "PUT", endpoint: PATHS.alias, parameters, body } as const;
      return (await caller.ask(request, aliasResponse, options)).alias;
    },
    async delete(domain, id, options) {
      const parameters = { domain, id: aliasIdText(id) };
      await caller.tell({ method: "DELETE", endpoint: PATHS.alias, parameters }, options);
    },
    async deleteAll(domain, guard, options) {
      requireAll(guard, "aliases");
      const query = { all: true };
      const request = { method: "DELETE", endpoint: PATHS.aliases, parameters: { domain }, query } as const;
      return (await caller.ask(request, async () => (await batches()).deletedAllResponse, options)).deleted;
    },
  };
}

const batches = lazily(() => import("../../contract/batch.js"));

/** Batches of aliases, the same in both versions. Their ids are strings. */
export function aliasBatches(caller: Caller): BatchCalls<NewAlias, AliasUpdate, Alias, AliasId> {
  const calls = batchCalls<NewAlias, object, Alias>(caller, PATHS.aliasBatch, "aliases", async () => {
    const { aliasesAddedResponse, aliasesUpdatedResponse } = await contract();
    return { added: aliasesAddedResponse, updated: aliasesUpdatedResponse };
  });
  return {
    ...calls,
    updateMany: async (domain, items, options) =>
      calls.updateMany(
        domain,
        items.map((item) => ({ ...item, id: aliasIdText(item.id) })),
        options,
      ),
    deleteMany: async (domain, ids, options) => calls.deleteMany(domain, ids.map(aliasIdText), options),
  };
}
