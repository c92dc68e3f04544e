import { z } from "zod";
import { BATCH_MAX, PAGE_LIMIT } from "../../limits.js";
import { addedResponse, updatedResponse } from "../batch.js";
import { pageAnswer, pageQuery, timestampSchema } from "./formats.js";

export const aliasSchema = z.object({
  id: z.string(),
  /** The local part of the address. */
  alias: z.string(),
  /** Comma-separated addresses and webhooks. */
  forward: z.string(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});

/** The query of `GET /domains/:domain/aliases`, as strings. */
export const aliasListQuery = z.object({
  query: z.string().optional(),
  order: z.enum(["name_asc", "name_desc", "created_asc", "created_desc"]).default("name_asc"),
  ...pageQuery(PAGE_LIMIT),
});

/** The body of `POST /domains/:domain/aliases`. */
export const newAliasSchema = z.object({ alias: z.string(), forward: z.string() });

/** The body of `PUT /domains/:domain/aliases/:id`. */
export const aliasChangesSchema = z.object({ forward: z.string() });

/** An entry of `PUT /domains/:domain/aliases/batch`. */
export const aliasUpdateSchema = z.object({ id: z.string(), ...newAliasSchema.partial().shape });

export const newAliasBatchSchema = z.object({
  aliases: z.array(newAliasSchema).max(BATCH_MAX, `aliases may have at most ${BATCH_MAX} items`),
});
export const aliasUpdateBatchSchema = z.object({
  aliases: z.array(aliasUpdateSchema).max(BATCH_MAX, `aliases may have at most ${BATCH_MAX} items`),
});

export const aliasListResponse = z.object({
  aliases: z.array(aliasSchema),
  ...pageAnswer,
});

export const aliasResponse = z.object({ alias: aliasSchema });
export const aliasesAddedResponse = addedResponse(aliasSchema);
export const aliasesUpdatedResponse = updatedResponse(aliasSchema);

export type Alias = z.infer<typeof aliasSchema>;
export type AliasPage = z.infer<typeof aliasListResponse>;
export type AliasOrder = z.infer<typeof aliasListQuery>["order"];
export type NewAlias = z.infer<typeof newAliasSchema>;
export type AliasChanges = z.infer<typeof aliasChangesSchema>;
export type AliasUpdateBody = z.infer<typeof aliasUpdateSchema>;
