import { z } from "zod";

/** The property of every successful answer of version 3. */
export const success = { success: z.literal(true) };

/** The answer for deleting and similar calls. */
export const successResponse = z.object(success);

/** The answer for deleting all: in the alternative form with `all=true`, how many there were. */
export const deletedAllResponse = z.object({ deleted: z.int().optional(), success: z.literal(true).optional() });
