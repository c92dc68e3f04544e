import { z } from "zod";
import { timestampSchema } from "./formats.js";

export const planSchema = z.object({
  name: z.string(),
  price: z.number(),
  billing_cycle: z.string(),
  domains_limit: z.int(),
  aliases_limit: z.int(),
  rules_limit: z.int(),
  daily_receive_limit: z.int(),
  daily_send_limit: z.int(),
  monthly_receive_limit: z.int(),
  monthly_send_limit: z.int(),
});

export const accountSchema = z.object({
  address: z.string(),
  billing_email: z.string().nullable(),
  cancels_at: timestampSchema.nullable(),
  company_vat: z.string().nullable(),
  country: z.string(),
  created_at: timestampSchema,
  email: z.string(),
  email_log_retention_days: z.int(),
  lock_reason: z.string().nullable(),
  /** Null if the account is not locked; other values are not documented. */
  locked: z.unknown(),
  name: z.string(),
  over_quota: z.boolean(),
  plan: planSchema,
  privacy_level: z.int(),
  renews_at: timestampSchema,
});

/** The answer of `GET /account`. */
export const accountResponse = z.object({ account: accountSchema });

export type Account = z.infer<typeof accountSchema>;
export type Plan = z.infer<typeof planSchema>;
