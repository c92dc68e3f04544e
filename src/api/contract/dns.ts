import { z } from "zod";

const record = z.object({
  /** What the record has to be. */
  expected: z.string(),
  valid: z.boolean(),
  /** What it is; null where there is none. */
  values: z.string().nullable(),
});

/** What a look at a domain's DNS found (part 2 of both documents). */
export const dnsRecordsSchema = z.object({
  /** Who hosts the domain's DNS. */
  provider: z.string(),
  advanced: z.boolean(),
  dkim1: record,
  dkim2: record,
  dmarc: record,
  spf: record,
  mx: z.object({ expected: z.array(z.string()), valid: z.boolean(), values: z.array(z.string()) }),
  /** Why MX is not configured correctly; else null. */
  error: z.string().nullable(),
  valid: z.boolean(),
});

export type DnsRecords = z.infer<typeof dnsRecordsSchema>;
