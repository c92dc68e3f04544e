import { z } from "zod";
import { PAGE_LIMIT } from "../../limits.js";
import { pageAnswer, pageQuery, timestampSchema } from "./formats.js";

/** Its password can be written but never read. */
export const credentialSchema = z.object({
  /** The local part of the mailbox. */
  username: z.string(),
  usage: z.int(),
  created_at: timestampSchema,
});

/** The query of `GET /domains/:domain/credentials`, as strings. */
export const credentialListQuery = z.object({
  ...pageQuery(PAGE_LIMIT),
});

/** The body of `POST /domains/:domain/credentials`. */
export const newCredentialSchema = z.object({ username: z.string(), password: z.string() });

/** The body of `PUT /domains/:domain/credentials/:username`. */
export const credentialChangesSchema = z.object({ password: z.string() });

export const credentialListResponse = z.object({
  credentials: z.array(credentialSchema),
  ...pageAnswer,
});

/**
 * The answer for adding a credential: after a domain's first one, SMTP sending is blocked until its DNS has been
 * checked again.
 */
export const credentialAddedResponse = z.object({
  credential: credentialSchema,
  requires_new_mx_check: z.boolean(),
});

export const credentialResponse = z.object({ credential: credentialSchema });

export type Credential = z.infer<typeof credentialSchema>;
export type CredentialPage = z.infer<typeof credentialListResponse>;
export type NewCredential = z.infer<typeof newCredentialSchema>;
export type AddedCredential = z.infer<typeof credentialAddedResponse>;
