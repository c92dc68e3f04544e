import type { FailedEntry } from "../contract/batch.js";
import { BatchError, CallError, ServiceError } from "../errors.js";
import { BATCH_MAX } from "../limits.js";

/** What a batch answers of its failures. */
export interface Failures {
  /** Each with its `index` in the array that the call was given, however many requests that took. */
  readonly failed: readonly FailedEntry[];
  readonly failed_count: number;
}

/**
 * Does something with any number of items, in requests of at most 500, one after the other.
 *
 * @param combine What several requests did, as one; of none, for no items.
 * @throws The request's own error, where one request was enough for all items; else BatchError, which keeps what is
 * known of the requests before.
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
      const certain = surelyDidNothing(error);
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

/** A refusal is certain, but for what a service in trouble says; and what was never sent did nothing. */
function surelyDidNothing(error: CallError): boolean {
  if (error instanceof ServiceError) return error.status >= 400 && error.status < 500;
  return "requestSent" in error && error.requestSent === false;
}

function positions(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}
