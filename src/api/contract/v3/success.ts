import { z } from "zod";

/** What every answer of version 3 carries that tells of a success. */
export const success = { success: z.literal(true) };

/** What deleting and the like answer. */
export const successResponse = z.object(success);

/** What deleting all answers: in a second form, asked for with `all=true`, how many there were. */
export const deletedAllResponse = z.object({ deleted: z.int().optional(), success: z.literal(true).optional() });
