import { z } from "zod";
import { pageAnswer, pageQuery } from "../v4/formats.js";
import { BATCH_MAX, PAGE_LIMIT_V3 } from "../../limits.js";
import { success, timestampSchema } from "./formats.js";

export const aliasSchema = z.object({
  id: z.int(),
  /** The local part of the address; `*` for all others. */
  alias: z.string(),
  /** Comma-separated addresses and webhooks. */
  forward: z.string(),
  /** Absent if an alias was just added or updated. */
  created: timestampSchema.optional(),
});

/** The query of `GET /domains/:domain/aliases`, as strings. */
export const aliasListQuery = z.object({
  /** Part of the alias or of its destinations. */
  q: z.string().optional(),
  /** The beginning of the alias. */
  alias: z.string().optional(),
  is_active: z.enum(["1", "0"]).optional(),
  ...pageQuery(PAGE_LIMIT_V3.aliases),
});

/** The body of `POST /domains/:domain/aliases`. */
export const newAliasSchema = z.object({ alias: z.string(), forward: z.string() });

/** The body of `PUT /domains/:domain/aliases/:alias`; `alias` renames it, if the path has the id. */
export const aliasChangesSchema = z.object({ forward: z.string(), alias: z.string().optional() });

export const bulkBehaviorSchema = z.enum(["add", "update", "delete"]);

/** The body of `POST /domains/:domain/aliases/bulk`. Deleting does not need `forward`. */
export const aliasBulkSchema = z.object({
  aliases: z
    .array(z.object({ alias: z.string(), forward: z.string().optional() }))
    .max(BATCH_MAX, `aliases may have at most ${BATCH_MAX} items`),
  /** `add` fails for an alias that exists. Default `add`. */
  behavior: bulkBehaviorSchema.default("add"),
});

export const aliasListResponse = z.object({
  aliases: z.array(aliasSchema),
  ...pageAnswer,
  ...success,
});

/** The answer for adding, reading and updating an alias. */
export const aliasResponse = z.object({ alias: aliasSchema, ...success });

/** The answer for a bulk `add` or `update`; a failed alias that does not exist has no id. */
export const aliasesChangedResponse = z.object({
  added: z.array(aliasSchema),
  updated: z.array(aliasSchema),
  failed: z.array(z.object({ alias: z.string(), forward: z.string().nullish(), id: z.int().nullish() })),
  ...success,
});

/** The answer for a bulk `delete`. */
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
