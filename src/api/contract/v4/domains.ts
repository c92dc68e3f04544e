import { z } from "zod";
import { PAGE_LIMIT } from "../../limits.js";
import { openEnum } from "../open-enum.js";
import { pageQuery, timestampSchema } from "./formats.js";

const record = z.object({
  /** The required value of the record. */
  expected: z.string(),
  valid: z.boolean(),
  /** The actual value; null if there is none. */
  values: z.string().nullable(),
});

/** The result of checking a domain's DNS (part 2 of both documents). */
export const dnsRecordsSchema = z.object({
  /** The domain's DNS provider. */
  provider: z.string(),
  advanced: z.boolean(),
  dkim1: record,
  dkim2: record,
  dmarc: record,
  spf: record,
  mx: z.object({ expected: z.array(z.string()), valid: z.boolean(), values: z.array(z.string()) }),
  /** Why MX is not configured correctly; otherwise null. */
  error: z.string().nullable(),
  valid: z.boolean(),
});

export type DnsRecords = z.infer<typeof dnsRecordsSchema>;

export const domainSchema = z.object({
  domain: z.string(),
  forwarding_ready: z.boolean(),
  send_ready: z.boolean(),
  banned: z.boolean(),
  notification_email: z.string().nullable(),
  notify_when_spam_blocked: z.boolean(),
  routing_engine: openEnum(["alias", "rules"]).nullable(),
  rules_fallback_email: z.string().nullable(),
  strict_mxes: z.boolean(),
  whitelabel: z.string().nullable(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});

/** A boolean in a URL: exactly `true` or `false`. */
const queryBoolean = z.enum(["true", "false"]).transform((value) => value === "true");

/** The query of `GET /domains`, as strings. */
export const domainListQuery = z.object({
  query: z.string().optional(),
  forwarding_ready: queryBoolean.optional(),
  send_ready: queryBoolean.optional(),
  /** `null` selects domains without one. */
  whitelabel: z.string().optional(),
  /** `null` selects domains whose routing is disabled. */
  routing_engine: z.enum(["alias", "rules", "null"]).optional(),
  order: z.enum(["name_asc", "name_desc", "created_asc", "created_desc"]).default("name_asc"),
  ...pageQuery(PAGE_LIMIT),
});

/** The body of `POST /domains`. */
export const newDomainSchema = z.object({
  domain: z.string(),
  /** Null for the account's. */
  notification_email: z.string().nullish(),
  /** The parent domain in DNS settings; null for none. */
  whitelabel: z.string().nullish(),
});

/** The body of `PUT /domains/:domain`; the name cannot be changed. */
export const domainChangesSchema = newDomainSchema.omit({ domain: true });

/** The answer of `GET /domains`. */
export const domainListResponse = z.object({
  domains: z.array(domainSchema),
  total: z.int(),
  limit: z.int(),
  page: z.int(),
});

/** The answer for adding, reading and updating a domain. */
export const domainResponse = z.object({ domain: domainSchema });

/** The answer of `POST /domains/:domain/verify`. */
export const domainVerifyResponse = z.object({ records: dnsRecordsSchema });

export type Domain = z.infer<typeof domainSchema>;
export type DomainPage = z.infer<typeof domainListResponse>;
export type NewDomain = z.infer<typeof newDomainSchema>;
export type DomainChanges = z.infer<typeof domainChangesSchema>;
export type DomainOrder = z.infer<typeof domainListQuery>["order"];
