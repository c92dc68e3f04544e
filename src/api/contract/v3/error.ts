import { z } from "zod";

/** The body of every answer of 400 and above. One form has a message, and no errors if no field is invalid (part 7). */
export const errorSchema = z.object({
  success: z.literal(false),
  message: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())),
});

export type ErrorBody = z.infer<typeof errorSchema>;
