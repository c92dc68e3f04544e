import { z } from "zod";

/**
 * The body of every answer of 400 and above. For a failed validation, `errors` has the messages by field; otherwise it
 * is empty (part 7).
 */
export const errorSchema = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
});

export type ErrorBody = z.infer<typeof errorSchema>;
