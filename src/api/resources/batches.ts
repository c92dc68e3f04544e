import type { FailedEntry } from "../contract/batch.js";
import { BatchError, CallError, ServiceError } from "../errors.js";
import { BATCH_MAX } from "../limits.js";

/** The failures in a batch's answer. */
export interface Failures {
  /** Each with its `index` in the caller's array, however many requests were made. */
  readonly failed: readonly FailedEntry[];
  readonly failed_count: number;
}

/**
 * Processes any number of items, in consecutive requests of at most 500.
 *
 * @param combine Combines the results of several requests; called with an empty list if there are no items.
 * @throws The request's own error, if one request was enough for all items; otherwise BatchError, which has the results
 * of the previous requests.
 */
export async function inBatches<Item, Done>(
  items: readonly Item[],
  request: (part: readonly Item[], start: number) => Promise<Done>,
  combine: (parts: readonly Done[]) => Done,
): Promise<Done> {
  const parts: Done[] = [];
  for (let start = 0; start < items.length; start += BATCH_MAX) {
    const end = Math.min(start + BATCH_MAX, items.length);
    try {
      parts.push(await request(items.slice(start, end), start));
    } catch (error) {
      if (items.length <= BATCH_MAX || !(error instanceof CallError)) throw error;
      const open = positions(start, end);
      const certain = hadNoEffect(error);
      throw new BatchError(error, {
        done: combine(parts),
        unknown: certain ? [] : open,
        notDone: [...(certain ? open : []), ...positions(end, items.length)],
      });
    }
  }
  return combine(parts);
}

/** The failures of a part, at their positions in the whole. */
export function moved(failed: readonly FailedEntry[], start: number): FailedEntry[] {
  return failed.map((entry) => ({ ...entry, index: entry.index + start }));
}

export function failuresOf(parts: readonly Failures[]): { failed: FailedEntry[]; failed_count: number } {
  const failed = parts.flatMap((part) => part.failed);
  return { failed, failed_count: failed.length };
}

/** A refusal is certain, unless the service is failing; and requests that were never sent had no effect. */
function hadNoEffect(error: CallError): boolean {
  if (error instanceof ServiceError) return error.status >= 400 && error.status < 500;
  return "requestSent" in error && error.requestSent === false;
}

function positions(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}
