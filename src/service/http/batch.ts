import { z } from "zod";
import type { FailedEntry } from "../../api/contract/batch.js";
import { BATCH_MAX } from "../../api/limits.js";
import { ApiError, badRequest } from "./api-error.js";
import type { Store } from "../store/store.js";
import { parse } from "./validate.js";
import { isRecord } from "../../values.js";

/** The outcome of a batch: results of successful entries in order, and the failed entries. */
export interface BatchOutcome<Result> {
  readonly done: readonly Result[];
  readonly failed: FailedEntry[];
}

/**
 * The entries of a body under a name, of any form.
 *
 * @throws ApiError (400) if there is no list, or if it is longer than a batch may be (version 4, part 4).
 */
export function readEntries(body: Record<string, unknown>, name: string): unknown[] {
  const entries = z.array(z.unknown()).max(BATCH_MAX, `${name} may have at most ${BATCH_MAX} items`);
  return parse(z.object({ [name]: entries }), body)[name] ?? [];
}

/** An entry as an object. */
export function asObject(entry: unknown): Record<string, unknown> {
  if (!isRecord(entry)) {
    throw badRequest("The entry must be an object.");
  }
  return { ...entry };
}

/** @throws ApiError (400) if the entry has no id. */
export function readId(entry: Record<string, unknown>): string {
  return parse(identified, entry).id;
}

const identified = z.object({ id: z.string() });

/**
 * Runs a batch, each entry independently. All entries are read first, which may take a while; then all valid ones are
 * applied in order, in a single write. An `ApiError` in either step only fails its own entry.
 */
export async function runBatch<Entry, Read, Result>(
  entries: readonly Entry[],
  read: (entry: Entry) => Read | Promise<Read>,
  carryOut: (read: Awaited<Read>) => Result,
  store: Pick<Store, "transaction">,
): Promise<BatchOutcome<Result>> {
  const failed: FailedEntry[] = [];
  const readable: { readonly index: number; readonly entry: Awaited<Read> }[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      readable.push({ index, entry: await read(entry) });
    } catch (error) {
      failed.push(failureOf(index, error));
    }
  }
  const done = store.transaction(() =>
    readable.flatMap(({ index, entry }) => {
      try {
        return [carryOut(entry)];
      } catch (error) {
        failed.push(failureOf(index, error));
        return [];
      }
    }),
  );
  return { done, failed: failed.toSorted((a, b) => a.index - b.index) };
}

/** The answer to a batch: the results, the failed entries and their counts. */
export function batchAnswer(
  verb: "added" | "updated" | "deleted",
  { done, failed }: BatchOutcome<object | string>,
): object {
  return { [verb]: done, [`${verb}_count`]: done.length, failed, failed_count: failed.length };
}

function failureOf(index: number, error: unknown): FailedEntry {
  if (!(error instanceof ApiError)) throw error;
  return { index, ...error.body };
}
