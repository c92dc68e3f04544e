import { z } from "zod";
import { pageQuery } from "../v4/formats.js";
import { PAGE_LIMIT_V3 } from "../../limits.js";
import { dnsRecordsSchema } from "../v4/domains.js";
import { aliasSchema } from "./aliases.js";
import { success, timestampSchema } from "./formats.js";

export const domainSchema = z.object({
  active: z.boolean(),
  domain: z.string(),
  display: z.string(),
  dkim_selector: z.string(),
  notification_email: z.string().nullable(),
  /** The URL that the events of its emails are posted to. */
  webhook: z.string().nullable(),
  whitelabel: z.string().nullable(),
  added: timestampSchema,
  /** Present in a documented example of a search. */
  daily_quota: z.int().optional(),
  /** At most 200 of them. */
  aliases: z.array(aliasSchema),
});

/** The query of `GET /domains`, as strings. */
export const domainListQuery = z.object({
  q: z.string().optional(),
  is_active: z.enum(["1", "0"]).optional(),
  ...pageQuery(PAGE_LIMIT_V3.domains),
});

/** The body of `POST /domains`. */
export const newDomainSchema = z.object({
  domain: z.string(),
  notification_email: z.string().nullish(),
  whitelabel: z.string().nullish(),
});

/** The body of `PUT /domains/:domain`; the name cannot be changed. */
export const domainChangesSchema = z.object({
  notification_email: z.string().nullish(),
  /** An http or https URL; null for none. */
  webhook: z.string().nullish(),
  whitelabel: z.string().nullish(),
});

export const domainListResponse = z.object({
  domains: z.array(domainSchema),
  total: z.int(),
  limit: z.int(),
  page: z.int(),
  ...success,
});

/** The answer for adding, reading and updating a domain. */
export const domainResponse = z.object({ domain: domainSchema, ...success });

/** The answer of `GET /domains/:domain/check`: `success` is whether MX is configured correctly. */
export const domainCheckResponse = z.object({ records: dnsRecordsSchema, success: z.boolean() });

export type DomainV3 = z.infer<typeof domainSchema>;
export type DomainPageV3 = z.infer<typeof domainListResponse>;
export type NewDomainV3 = z.infer<typeof newDomainSchema>;
export type DomainChangesV3 = z.infer<typeof domainChangesSchema>;
export type DomainCheckV3 = z.infer<typeof domainCheckResponse>;
