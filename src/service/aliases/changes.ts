import type { z } from "zod";
import { aliasChangesSchema, newAliasSchema } from "../../api/contract/v4/aliases.js";
import { invalidFields } from "../http/api-error.js";
import type { ServiceContext } from "../context.js";
import { refuseOverLimit } from "../account/plan.js";
import type { PatternChecks } from "../rules/pattern-check.js";
import type { AccountRecord } from "../store/accounts.js";
import type { AliasFields, AliasRecord } from "../store/aliases.js";
import { check, Problems } from "../http/validate.js";
import { aliasRefusal } from "./alias-name.js";
import { forwardRefusal } from "./forward.js";

/**
 * Reads the fields of a new alias.
 *
 * @throws ApiError (400) with every missing or invalid field.
 */
export async function readNewAlias(body: Record<string, unknown>, patterns: PatternChecks): Promise<AliasFields> {
  return await readFields(newAliasSchema, body, patterns);
}

/**
 * Reads changes to an alias: its destinations and, with `renamable`, its name.
 *
 * @throws ApiError (400) with every missing or invalid field.
 */
export async function readAliasChanges(
  body: Record<string, unknown>,
  patterns: PatternChecks,
  which: "forward" | "renamable" | "any" = "forward",
): Promise<Partial<AliasFields>> {
  return await readFields(changeSchemas[which], body, patterns);
}

const changeSchemas = {
  forward: aliasChangesSchema,
  renamable: newAliasSchema.partial({ alias: true }),
  any: newAliasSchema.partial(),
};

async function readFields<Schema extends z.ZodType<Partial<AliasFields>>>(
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
