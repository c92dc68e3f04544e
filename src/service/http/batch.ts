import type { Context } from "hono";
import { z } from "zod";
import type { FailedEntry } from "../../api/contract/batch.js";
import { BATCH_MAX } from "../../api/limits.js";
import { ApiError, badRequest } from "./api-error.js";
import type { Store } from "../store/store.js";
import { parse } from "./validate.js";

/** What became of a batch's entries: the results of those that were done, in their order, and those that were not. */
export interface BatchOutcome<Result> {
  readonly done: readonly Result[];
  readonly failed: FailedEntry[];
}

/**
 * The entries that a body has under a name, of whatever form they are.
 *
 * @throws ApiError (400) where there is no list, or a longer one than a batch may have (version 4, part 4).
 */
export function readEntries(body: Record<string, unknown>, name: string): unknown[] {
  const entries = z.array(z.unknown()).max(BATCH_MAX, `${name} may have at most ${BATCH_MAX} items`);
  return parse(z.object({ [name]: entries }), body)[name] ?? [];
}

/** An entry as an object, for the fields in it. */
export function asObject(entry: unknown): Record<string, unknown> {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    throw badRequest("The entry must be an object.");
  }
  return { ...entry };
}

/** @throws ApiError (400) where an entry has no id. */
export function readId(entry: Record<string, unknown>): string {
  return parse(identified, entry).id;
}

const identified = z.object({ id: z.string() });

/**
 * Does what a batch asks for, each entry for itself: all are read first, which may take a while, then all that could be
 * read are carried out as one write, in their order. An `ApiError` in either step fails its entry alone.
 *
 * @example
 * const { done, failed } = await runBatch(entries, readAlias, (fields) => aliases.create(domain.id, fields, now), store);
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

/** What a batch answers: what was done and what failed, with their numbers; 207 where any entry failed (version 4, part 7). */
export function answerBatch(
  c: Context,
  verb: "added" | "updated" | "deleted",
  { done, failed }: BatchOutcome<object | string>,
): Response {
  const answer = { [verb]: done, [`${verb}_count`]: done.length, failed, failed_count: failed.length };
  return c.json(answer, failed.length > 0 ? 207 : 200);
}

function failureOf(index: number, error: unknown): FailedEntry {
  if (!(error instanceof ApiError)) throw error;
  return { index, ...error.body };
}
