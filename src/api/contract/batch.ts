import { z } from "zod";
import { BATCH_MAX } from "../limits.js";

/** An entry of a batch that failed; the entry itself is not sent back (part 4). */
export const failedEntrySchema = z.object({
  /** Its position in the array that was sent, from 0. */
  index: z.int().min(0),
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
});

const failures = { failed: z.array(failedEntrySchema), failed_count: z.int() };

/** What adding a batch answers, with 200 where all was added and 207 where some failed. */
export function addedResponse<Item extends z.ZodType>(item: Item) {
  return z.object({ added: z.array(item), added_count: z.int(), ...failures });
}

/** What updating a batch answers, with 200 where all was updated and 207 where some failed. */
export function updatedResponse<Item extends z.ZodType>(item: Item) {
  return z.object({ updated: z.array(item), updated_count: z.int(), ...failures });
}

/** What deleting a batch answers: the ids of what was deleted, with 200 where all was and 207 where some failed. */
export const deletedResponse = z.object({ deleted: z.array(z.string()), deleted_count: z.int(), ...failures });

/** The body of deleting a batch: up to 500 ids. */
export const deletionBatchSchema = z.object({
  ids: z.array(z.string()).max(BATCH_MAX, `ids may have at most ${BATCH_MAX} items`),
});

/** What deleting all answers. */
export const deletedAllResponse = z.object({ deleted: z.int() });

export type FailedEntry = z.infer<typeof failedEntrySchema>;
