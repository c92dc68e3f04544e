import { z } from "zod";
import { BATCH_MAX, PAGE_LIMIT_V3 } from "../../limits.js";
import { success } from "./success.js";
import { timestampSchema } from "./timestamp.js";

export const aliasSchema = z.object({
  id: z.int(),
  /** The local part of the address; `*` for every other. */
  alias: z.string(),
  /** Comma-separated addresses and webhooks. */
  forward: z.string(),
  /** Absent where an alias was just added or updated. */
  created: timestampSchema.optional(),
});

/** What `GET /domains/:domain/aliases` takes, as strings from the address. */
export const aliasListQuery = z.object({
  /** A part of the alias or of its destinations. */
  q: z.string().optional(),
  /** What the alias begins with. */
  alias: z.string().optional(),
  is_active: z.enum(["1", "0"]).optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_V3.aliases.max).default(PAGE_LIMIT_V3.aliases.default),
  page: z.coerce.number().int().min(1).default(1),
});

/** The body of `POST /domains/:domain/aliases`. */
export const newAliasSchema = z.object({ alias: z.string(), forward: z.string() });

/** The body of `PUT /domains/:domain/aliases/:alias`; `alias` renames, where the path has the id. */
export const aliasChangesSchema = z.object({ forward: z.string(), alias: z.string().optional() });

export const bulkBehaviorSchema = z.enum(["add", "update", "delete"]);

/** The body of `POST /domains/:domain/aliases/bulk`. Deleting needs no `forward`. */
export const aliasBulkSchema = z.object({
  aliases: z
    .array(z.object({ alias: z.string(), forward: z.string().optional() }))
    .max(BATCH_MAX, `aliases may have at most ${BATCH_MAX} items`),
  /** `add` fails for an alias that exists. Default `add`. */
  behavior: bulkBehaviorSchema.default("add"),
});

export const aliasListResponse = z.object({
  aliases: z.array(aliasSchema),
  limit: z.int(),
  page: z.int(),
  total: z.int(),
  ...success,
});

/** What adding, reading and updating an alias answer. */
export const aliasResponse = z.object({ alias: aliasSchema, ...success });

/** What a bulk of `add` or `update` answers; an alias that failed has no id where there is none. */
export const aliasesChangedResponse = z.object({
  added: z.array(aliasSchema),
  updated: z.array(aliasSchema),
  failed: z.array(z.object({ alias: z.string(), forward: z.string().nullish(), id: z.int().nullish() })),
  ...success,
});

/** What a bulk of `delete` answers. */
export const aliasesDeletedResponse = z.object({
  deleted: z.array(aliasSchema),
  failed: z.array(z.object({ alias: z.string() })),
  ...success,
});

export type AliasV3 = z.infer<typeof aliasSchema>;
export type AliasPageV3 = z.infer<typeof aliasListResponse>;
export type NewAliasV3 = z.infer<typeof newAliasSchema>;
export type AliasChangesV3 = z.infer<typeof aliasChangesSchema>;
export type ChangedAliasesV3 = z.infer<typeof aliasesChangedResponse>;
export type DeletedAliasesV3 = z.infer<typeof aliasesDeletedResponse>;
