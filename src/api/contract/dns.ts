import { z } from "zod";

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
