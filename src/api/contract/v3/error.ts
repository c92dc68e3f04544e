import { z } from "zod";

/** The body of every answer of 400 and above; one form of it has a message, and no errors where no field is wrong (part 7). */
export const errorSchema = z.object({
  success: z.literal(false),
  message: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())),
});

export type ErrorBody = z.infer<typeof errorSchema>;
