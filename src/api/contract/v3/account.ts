import { z } from "zod";
import { success, timestampSchema } from "./formats.js";

export const limitsSchema = z.object({
  aliases: z.int(),
  daily_quota: z.int(),
  daily_send: z.int(),
  domains: z.int(),
  ratelimit: z.int(),
  redirections: z.int(),
  subdomains: z.int(),
  api: z.int(),
  credentials: z.int(),
  destinations: z.int(),
});

export const planSchema = z.object({
  aliases_limit: z.int(),
  daily_quota: z.int(),
  domains_limit: z.int(),
  display: z.string(),
  kind: z.string(),
  name: z.string(),
  price: z.number(),
  yearly: z.boolean(),
});

export const accountSchema = z.object({
  billing_email: z.string().nullable(),
  cancels_on: timestampSchema.nullable(),
  card_brand: z.string(),
  company_details: z.string(),
  company_name: z.string(),
  company_vat: z.string().nullable(),
  country: z.string(),
  created: timestampSchema,
  email: z.string(),
  last4: z.string(),
  limits: limitsSchema,
  /** The value for a locked account is not documented. */
  lock_reason: z.unknown(),
  /** Null if the account is not locked; other values are not documented. */
  locked: z.unknown(),
  password: z.boolean(),
  plan: planSchema,
  premium: z.boolean(),
  privacy_level: z.int(),
  renew_date: timestampSchema,
});

/** The answer of `GET /account`. */
export const accountResponse = z.object({ account: accountSchema, ...success });

export const whitelabelSchema = z.object({ name: z.string() });

/** The answer of `GET /account/whitelabels`. */
export const whitelabelsResponse = z.object({ whitelabels: z.array(whitelabelSchema), ...success });

export type AccountV3 = z.infer<typeof accountSchema>;
export type PlanV3 = z.infer<typeof planSchema>;
export type LimitsV3 = z.infer<typeof limitsSchema>;
export type Whitelabel = z.infer<typeof whitelabelSchema>;
