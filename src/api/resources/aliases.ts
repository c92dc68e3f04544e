import type { Caller, CallOptions } from "../calls/caller.js";
import type {
  AliasChangesV3,
  AliasPageV3,
  AliasV3,
  ChangedAliasesV3,
  DeletedAliasesV3,
  NewAliasV3,
} from "../contract/v3/aliases.js";
import * as PATHS_V3 from "../contract/v3/paths.js";
import type { Alias, AliasChanges, AliasOrder, AliasPage, AliasUpdateBody, NewAlias } from "../contract/v4/aliases.js";
import * as PATHS from "../contract/v4/paths.js";
import { type All, type BatchCalls, batchCalls, deleteAllCall, inBatches } from "./batches.js";
import { asDigit } from "./domains.js";
import { byNumber } from "./pages.js";

/**
 * An alias's id. The service returns a string in version 4 and in batches, and a number in version 3; as a parameter,
 * both are documented. Calls accept either, and send what the endpoint expects.
 */
export type AliasId = string | number;

/** An entry for updating several aliases; absent fields stay unchanged. */
export type AliasUpdate = Omit<AliasUpdateBody, "id"> & { readonly id: AliasId };

/**
 * The id as used in paths and batches.
 *
 * @throws TypeError for a number that is not an id, such as `Number("sales")`.
 */
export function aliasIdText(id: AliasId): string {
  if (typeof id === "number" && !(Number.isSafeInteger(id) && id >= 0))
    throw new TypeError(`${id} is not a valid id of an alias.`);
  return String(id);
}

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

const contract = () => import("../contract/v4/aliases.js");
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
      byNumber((number) => page(domain, { ...filter, page: number }, options), "aliases", "id"),
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
    deleteAll: deleteAllCall(caller, PATHS.aliases, "aliases", async () => (await deletions()).deletedAllResponse),
  };
}

const deletions = () => import("../contract/batch.js");

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

export interface AliasFilterV3 {
  /** Part of the alias or of its destinations. */
  readonly query?: string;
  /** The beginning of the alias. */
  readonly prefix?: string;
  readonly active?: boolean;
  /** Aliases per page: 1 to 100. Default 20. */
  readonly limit?: number;
}

export type ChangedAliases = Omit<ChangedAliasesV3, "success">;
export type DeletedAliases = Omit<DeletedAliasesV3, "success">;

/** An alias is identified by its text, `*` for the catch-all, or by its numeric id. Batches are as in version 4. */
export interface AliasCallsV3 extends BatchCalls<NewAlias, AliasUpdate, Alias, AliasId> {
  /** Every matching alias, read page by page during iteration. */
  list(domain: string, filter?: AliasFilterV3, options?: CallOptions): AsyncIterable<AliasV3>;
  /** One page; pages count from 1. */
  page(
    domain: string,
    filter?: AliasFilterV3 & { readonly page?: number },
    options?: CallOptions,
  ): Promise<AliasPageV3>;
  get(domain: string, alias: string | number, options?: CallOptions): Promise<AliasV3>;
  create(domain: string, alias: NewAliasV3, options?: CallOptions): Promise<AliasV3>;
  /** With its id, an alias can also be renamed. */
  update(domain: string, id: number, changes: AliasChangesV3, options?: CallOptions): Promise<AliasV3>;
  update(
    domain: string,
    alias: string,
    changes: Omit<AliasChangesV3, "alias">,
    options?: CallOptions,
  ): Promise<AliasV3>;
  delete(domain: string, alias: string | number, options?: CallOptions): Promise<void>;
  /** Deletes every alias of the domain, and returns how many there were, if the service says so. */
  deleteAll(domain: string, guard: All, options?: CallOptions): Promise<number | undefined>;
  /**
   * Adds, updates or deletes any number of aliases, in requests of at most 500. Failures are in `failed`, without a
   * position. Adding requires a paid plan, and fails for an alias that exists.
   *
   * @throws BatchError if one of several requests failed as a whole.
   */
  bulk(
    domain: string,
    behavior: "add" | "update",
    aliases: readonly NewAliasV3[],
    options?: CallOptions,
  ): Promise<ChangedAliases>;
  bulk(
    domain: string,
    behavior: "delete",
    aliases: readonly { readonly alias: string }[],
    options?: CallOptions,
  ): Promise<DeletedAliases>;
}

const contractV3 = () => import("../contract/v3/aliases.js");
const aliasResponseV3 = async () => (await contractV3()).aliasResponse;

export function aliasCallsV3(caller: Caller): AliasCallsV3 {
  const page: AliasCallsV3["page"] = (domain, { query: q, prefix: alias, active, ...filter } = {}, options) => {
    const query = { ...filter, q, alias, is_active: asDigit(active) };
    const request = { method: "GET", endpoint: PATHS.aliases, parameters: { domain }, query } as const;
    return caller.ask(request, async () => (await contractV3()).aliasListResponse, options);
  };

  return {
    ...aliasBatches(caller),
    page,
    bulk: bulkCall(caller),
    list: (domain, filter, options) =>
      byNumber((number) => page(domain, { ...filter, page: number }, options), "aliases", "id"),
    async get(domain, alias, options) {
      const parameters = { domain, alias: aliasIdText(alias) };
      const request = { method: "GET", endpoint: PATHS_V3.alias, parameters } as const;
      return (await caller.ask(request, aliasResponseV3, options)).alias;
    },
    async create(domain, body, options) {
      const request = { method: "POST", endpoint: PATHS.aliases, parameters: { domain }, body } as const;
      return (await caller.ask(request, aliasResponseV3, options)).alias;
    },
    async update(domain: string, alias: string | number, body: AliasChangesV3, options?: CallOptions) {
      const parameters = { domain, alias: aliasIdText(alias) };
      const request = { method: "PUT", endpoint: PATHS_V3.alias, parameters, body } as const;
      return (await caller.ask(request, aliasResponseV3, options)).alias;
    },
    async delete(domain, alias, options) {
      const parameters = { domain, alias: aliasIdText(alias) };
      await caller.tell({ method: "DELETE", endpoint: PATHS_V3.alias, parameters }, options);
    },
    deleteAll: deleteAllCall(caller, PATHS_V3.aliasesAll, "aliases", async () => (await success()).deletedAllResponse),
  };
}

const success = () => import("../contract/v3/formats.js");

function bulkCall(caller: Caller): AliasCallsV3["bulk"] {
  function bulk(domain: string, behavior: "add" | "update", aliases: readonly NewAliasV3[], options?: CallOptions): Promise<ChangedAliases>; // prettier-ignore
  function bulk(domain: string, behavior: "delete", aliases: readonly { readonly alias: string }[], options?: CallOptions): Promise<DeletedAliases>; // prettier-ignore
  function bulk(
    domain: string,
    behavior: "add" | "update" | "delete",
    aliases: readonly { readonly alias: string }[],
    options?: CallOptions,
  ): Promise<ChangedAliases | DeletedAliases> {
    const requestOf = (part: readonly object[]) => {
      const body = { aliases: part, behavior };
      return { method: "POST", endpoint: PATHS_V3.aliasBulk, parameters: { domain }, body } as const;
    };
    if (behavior === "delete") {
      return inBatches<{ readonly alias: string }, DeletedAliases>(
        aliases,
        (part) => caller.ask(requestOf(part), async () => (await contractV3()).aliasesDeletedResponse, options),
        (parts) => ({
          deleted: parts.flatMap(({ deleted }) => deleted),
          failed: parts.flatMap(({ failed }) => failed),
        }),
      );
    }
    return inBatches<{ readonly alias: string }, ChangedAliases>(
      aliases,
      (part) => caller.ask(requestOf(part), async () => (await contractV3()).aliasesChangedResponse, options),
      (parts) => ({
        added: parts.flatMap(({ added }) => added),
        updated: parts.flatMap(({ updated }) => updated),
        failed: parts.flatMap(({ failed }) => failed),
      }),
    );
  }
  return bulk;
}
