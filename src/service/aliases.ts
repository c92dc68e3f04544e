import type { z } from "zod";
import { type Alias, aliasChangesSchema, newAliasSchema } from "../api/contract/v4/aliases.js";
import { refuseOverLimit, requirePaidPlan } from "./account.js";
import { aliasRefusal, forwardRefusal } from "./alias-fields.js";
import type { ServiceContext } from "./context.js";
import type { HandlersV4 } from "./endpoints.js";
import { badRequest, invalidFields, notFound } from "./http/api-error.js";
import { asObject, batchAnswer, readEntries, readId, runBatch } from "./http/batch.js";
import { requireAll } from "./http/request.js";
import { check, Problems } from "./http/validate.js";
import { isoSeconds } from "./ids.js";
import { type PatternChecks, withinRequest } from "./patterns/patterns.js";
import type { AccountRecord } from "./store/accounts.js";
import type { AliasFields, AliasRecord, AliasStore } from "./store/aliases.js";

const missing = "There is no such alias on the domain.";

/**
 * The domain's alias with this id, in decimal digits as both versions write it.
 *
 * @throws ApiError (404) if there is none.
 */
export function findAlias(aliases: AliasStore, domainId: number, id: string): AliasRecord {
  const alias = findById(aliases, domainId, id);
  if (!alias) throw notFound(missing);
  return alias;
}

/**
 * The domain's alias with this id, otherwise with this name. An alias that consists of digits may equal another alias's
 * id. It can then only be reached by its own id.
 *
 * @throws ApiError (404) if there is neither.
 */
export function findAliasByEither(
  aliases: AliasStore,
  domainId: number,
  idOrName: string,
): { readonly alias: AliasRecord; readonly by: "id" | "name" } {
  const byId = findById(aliases, domainId, idOrName);
  if (byId) return { alias: byId, by: "id" };
  const byName = aliases.findByName(domainId, idOrName);
  if (!byName) throw notFound(missing);
  return { alias: byName, by: "name" };
}

function findById(aliases: AliasStore, domainId: number, id: string): AliasRecord | undefined {
  return /^[1-9]\d{0,14}$/.test(id) ? aliases.find(domainId, Number(id)) : undefined;
}

/** An entry of a batch may change any field. */
const entryChangesSchema = newAliasSchema.partial();

/**
 * Reads the fields of a new alias, or changes to one.
 *
 * @throws ApiError (400) with every missing or invalid field.
 */
export async function readAliasFields<Schema extends z.ZodType<Partial<AliasFields>>>(
  schema: Schema,
  body: Record<string, unknown>,
  patterns: PatternChecks,
): Promise<z.output<Schema>> {
  const problems = new Problems();
  const fields = check(schema, body, problems);
  const { alias, forward } = fields ?? {};
  addRefusal("alias", alias === undefined ? undefined : await aliasRefusal(alias, patterns), problems);
  addRefusal("forward", forward === undefined ? undefined : forwardRefusal(forward), problems);
  if (fields === undefined || problems.found) throw invalidFields(problems.errors);
  return fields;
}

function addRefusal(field: string, refusal: string | undefined, problems: Problems): void {
  if (refusal !== undefined) problems.add(field, `${field} ${refusal}`);
}

/**
 * Adds an alias to a domain.
 *
 * @throws ApiError (400) if the domain already has it, or if the account has reached its plan's limit.
 */
export function addAlias(
  { store, clock }: ServiceContext,
  account: AccountRecord,
  domainId: number,
  fields: AliasFields,
): AliasRecord {
  refuseTaken(store.aliases.findByName(domainId, fields.alias));
  refuseOverLimit(account, "aliases_limit", store.aliases.count(account.id));
  return store.aliases.create(domainId, fields, clock.now());
}

/**
 * Changes an alias of a domain.
 *
 * @throws ApiError (400) if another alias of the domain has the new name.
 */
export function changeAlias(
  { store, clock }: ServiceContext,
  domainId: number,
  alias: AliasRecord,
  changes: Partial<AliasFields>,
): AliasRecord {
  const fields = { ...alias, ...changes };
  const holder = store.aliases.findByName(domainId, fields.alias);
  if (holder?.id !== alias.id) refuseTaken(holder);
  return store.aliases.update(alias.id, fields, clock.now());
}

function refuseTaken(holder: AliasRecord | undefined): void {
  if (holder) throw invalidFields({ alias: ["alias is already taken by another alias of the domain"] });
}

/** Version 4's endpoints. Batches are the same in both versions. */
export function aliasHandlers(context: ServiceContext): HandlersV4<"aliases"> {
  const { store } = context;
  const { aliases } = store;
  return {
    "aliases.list": ({ domain, query }) => {
      const { order, limit, page, query: part } = query();
      const { rows, total } = aliases.list(domain.id, { query: part }, { order, limit, page });
      return { aliases: rows.map(aliasV4), limit, page, total };
    },
    "aliases.get": ({ domain, parameters }) => ({ alias: aliasV4(findAlias(aliases, domain.id, parameters.id)) }),
    "aliases.create": async ({ account, domain, body }) => {
      const fields = await readAliasFields(newAliasSchema, await body(), context.patterns);
      return { alias: aliasV4(addAlias(context, account, domain.id, fields)) };
    },
    "aliases.update": async ({ domain, parameters, body }) => {
      const changes = await readAliasFields(aliasChangesSchema, await body(), context.patterns);
      const alias = findAlias(aliases, domain.id, parameters.id);
      return { alias: aliasV4(changeAlias(context, domain.id, alias, changes)) };
    },
    "aliases.delete": ({ domain, parameters }) => {
      aliases.delete(findAlias(aliases, domain.id, parameters.id).id);
      return undefined;
    },
    "aliases.deleteAll": ({ domain, rawQuery }) => {
      requireAll(rawQuery());
      return { deleted: aliases.deleteAll(domain.id) };
    },
    "aliases.createMany": async ({ account, domain, body }) => {
      requirePaidPlan(account);
      const patterns = withinRequest(context.patterns);
      const { done, failed } = await runBatch(
        readEntries(await body(), "aliases"),
        (entry) => readAliasFields(newAliasSchema, asObject(entry), patterns),
        (fields) => addAlias(context, account, domain.id, fields),
        store,
      );
      return batchAnswer("added", { done: done.map(aliasV4), failed });
    },
    "aliases.updateMany": async ({ domain, body }) => {
      const patterns = withinRequest(context.patterns);
      const { done, failed } = await runBatch(
        readEntries(await body(), "aliases"),
        async (entry) => {
          const fields = asObject(entry);
          const id = readId(fields);
          const changes = await readAliasFields(entryChangesSchema, fields, patterns);
          if (Object.keys(changes).length === 0) throw badRequest("The entry has no fields to update.");
          return { id, changes };
        },
        ({ id, changes }) => changeAlias(context, domain.id, findAlias(aliases, domain.id, id), changes),
        store,
      );
      return batchAnswer("updated", { done: done.map(aliasV4), failed });
    },
    "aliases.deleteMany": async ({ domain, body }) => {
      const outcome = await runBatch(
        readEntries(await body(), "ids"),
        (id) => readId({ id }),
        (id) => {
          aliases.delete(findAlias(aliases, domain.id, id).id);
          return id;
        },
        store,
      );
      return batchAnswer("deleted", outcome);
    },
  };
}

function aliasV4({ id, alias, forward, createdAt, updatedAt }: AliasRecord): Alias {
  return {
    id: String(id),
    alias,
    forward,
    created_at: isoSeconds(createdAt),
    updated_at: isoSeconds(updatedAt),
  };
}
