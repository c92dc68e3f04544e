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
