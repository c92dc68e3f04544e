import { z } from "zod";
import { success, timestampSchema } from "./formats.js";

/** Its password can be written but never read. */
export const credentialSchema = z.object({
  /** The local part of the mailbox. */
  username: z.string(),
  usage: z.int(),
  created: timestampSchema,
});

export const credentialListResponse = z.object({ credentials: z.array(credentialSchema), ...success });

/**
 * The answer for adding a credential: after a domain's first one, SMTP sending is blocked until its DNS has been
 * checked again.
 */
export const credentialAddedResponse = z.object({
  credential: credentialSchema,
  requires_new_mx_check: z.boolean(),
  ...success,
});

export const credentialResponse = z.object({ credential: credentialSchema, ...success });

export type CredentialV3 = z.infer<typeof credentialSchema>;
export type AddedCredentialV3 = z.infer<typeof credentialAddedResponse>;
