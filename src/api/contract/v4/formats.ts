import { z } from "zod";

/** ISO 8601 in UTC, such as `2026-08-12T09:30:00Z` (part 2); `+00:00` means the same. */
export const timestampSchema = z.iso.datetime({ offset: true });

/**
 * The body of every answer of 400 and above. For a failed validation, `errors` has the messages by field; otherwise it
 * is empty (part 7).
 */
export const errorSchema = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
});

export type ErrorBody = z.infer<typeof errorSchema>;

/** The query parameters of lists that are read by page number. */
export function pageQuery({ max, default: usual }: { readonly max: number; readonly default: number }) {
  return {
    limit: z.coerce.number().int().min(1).max(max).default(usual),
    page: z.coerce.number().int().min(1).default(1),
  };
}

/** What the answer of such a list says about its page. */
export const pageAnswer = { limit: z.int(), page: z.int(), total: z.int() };
