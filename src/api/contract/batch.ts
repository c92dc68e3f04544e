import { z } from "zod";
import { BATCH_MAX } from "../limits.js";

/** A failed entry of a batch; the entry itself is not returned (part 4). */
export const failedEntrySchema = z.object({
  /** Its position in the array that was sent, from 0. */
  index: z.int().min(0),
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
});

const failures = { failed: z.array(failedEntrySchema), failed_count: z.int() };

/** The answer for adding a batch: 200 if all were added, 207 if some failed. */
export function addedResponse<Item extends z.ZodType>(item: Item) {
  return z.object({ added: z.array(item), added_count: z.int(), ...failures });
}

/** The answer for updating a batch: 200 if all were updated, 207 if some failed. */
export function updatedResponse<Item extends z.ZodType>(item: Item) {
  return z.object({ updated: z.array(item), updated_count: z.int(), ...failures });
}

/** The answer for deleting a batch, with the deleted ids: 200 if all were deleted, 207 if some failed. */
export const deletedResponse = z.object({ deleted: z.array(z.string()), deleted_count: z.int(), ...failures });

/** The body for deleting a batch: up to 500 ids. */
export const deletionBatchSchema = z.object({
  ids: z.array(z.string()).max(BATCH_MAX, `ids may have at most ${BATCH_MAX} items`),
});

/** The answer for deleting all. */
export const deletedAllResponse = z.object({ deleted: z.int() });

export type FailedEntry = z.infer<typeof failedEntrySchema>;
