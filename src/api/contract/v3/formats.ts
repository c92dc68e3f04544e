import { z } from "zod";

/** The property of every successful answer of version 3. */
export const success = { success: z.literal(true) };

/** The answer for deleting and similar calls. */
export const successResponse = z.object(success);

/** The answer for deleting all: in the alternative form with `all=true`, how many there were. */
export const deletedAllResponse = z.object({ deleted: z.int().optional(), success: z.literal(true).optional() });

/**
 * A time in version 3: milliseconds since 1970; in some responses (updating rules, bulk) seconds (part 2).
 * `readTimestamp` distinguishes them.
 */
export const timestampSchema = z.int();

/** A time in the log, which an earlier format has as a string: `2026-08-12 09:30:00+0000`, or an email date. */
export const logTimestampSchema = z.union([timestampSchema, z.string()]);

/** The body of every answer of 400 and above. One form has a message, and no errors if no field is invalid (part 7). */
export const errorSchema = z.object({
  success: z.literal(false),
  message: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())),
});

export type ErrorBodyV3 = z.infer<typeof errorSchema>;
