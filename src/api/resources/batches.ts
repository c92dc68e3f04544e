import type { z } from "zod";
import type { AnswerReader } from "../calls/answer.js";
import type { Caller, CallOptions } from "../calls/caller.js";
import type { FailedEntry } from "../contract/batch.js";
import type * as PATHS_V3 from "../contract/v3/paths.js";
import type * as PATHS from "../contract/v4/paths.js";
import { BatchError, CallError, ServiceError } from "../errors.js";
import { BATCH_MAX } from "../limits.js";

/** The explicit argument for deleting everything, so that nothing is deleted because of a stray value. */
export interface All {
  readonly all: true;
}

/**
 * The call that deletes everything of a kind in a domain.
 *
 * @throws TypeError without the guard, for callers without types.
 */
export function deleteAllCall<Answer extends { readonly deleted?: number | undefined }>(
  caller: Caller,
  endpoint: typeof PATHS.aliases | typeof PATHS.rules | typeof PATHS_V3.aliasesAll | typeof PATHS_V3.rulesAll,
  what: "aliases" | "rules",
  response: () => Promise<AnswerReader<Answer>>,
): (domain: string, guard: All, options?: CallOptions) => Promise<Answer["deleted"]> {
  return async (domain, guard, options) => {
    if ((guard as Partial<All> | undefined)?.all !== true) {
      throw new TypeError(`To delete all ${what} of a domain, pass { all: true } as the second argument.`);
    }
    const request = { method: "DELETE", endpoint, parameters: { domain }, query: { all: true } } as const;
    return (await caller.ask(request, response, options)).deleted;
  };
}

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
export function shiftPositions(failed: readonly FailedEntry[], start: number): FailedEntry[] {
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

export interface Added<Item> extends Failures {
  readonly added: readonly Item[];
  readonly added_count: number;
}

export interface Updated<Item> extends Failures {
  readonly updated: readonly Item[];
  readonly updated_count: number;
}

export interface Deleted extends Failures {
  /** The ids of what was deleted. */
  readonly deleted: readonly string[];
  readonly deleted_count: number;
}

/**
 * Batches of any size: more than 500 items are sent in several consecutive requests. A failed entry is not an error: it
 * is in `failed`, with its position in the caller's array.
 *
 * If one request is enough, these throw what every call throws; otherwise BatchError.
 */
export interface BatchCalls<New, Update, Item, Id = string> {
  createMany(domain: string, items: readonly New[], options?: CallOptions): Promise<Added<Item>>;
  updateMany(domain: string, items: readonly Update[], options?: CallOptions): Promise<Updated<Item>>;
  deleteMany(domain: string, ids: readonly Id[], options?: CallOptions): Promise<Deleted>;
}

interface BatchContract<Item> {
  readonly added: z.ZodType<Added<Item>>;
  readonly updated: z.ZodType<Updated<Item>>;
}

const contract = () => import("../contract/batch.js");

/** @param member The name of the items in the body. */
export function batchCalls<New extends object, Update extends object, Item>(
  caller: Caller,
  endpoint: "/domains/:domain/aliases/batch" | "/domains/:domain/rules/batch",
  member: "aliases" | "rules",
  responses: () => Promise<BatchContract<Item>>,
): BatchCalls<New, Update, Item> {
  const send = <Answer extends Failures>(
    method: "POST" | "PUT" | "DELETE",
    domain: string,
    entries: readonly unknown[],
    response: () => Promise<z.ZodType<Answer>>,
    combine: (parts: readonly Answer[]) => Answer,
    options?: CallOptions,
  ) =>
    inBatches<unknown, Answer>(
      entries,
      async (part, start) => {
        const body = { [method === "DELETE" ? "ids" : member]: part };
        const request = { method, endpoint, parameters: { domain }, body } as const;
        const answer = await caller.ask(request, async () => within(await response(), part), options);
        return { ...answer, failed: shiftPositions(answer.failed, start) };
      },
      combine,
    );

  return {
    createMany(domain, items, options) {
      const combine = (parts: readonly Added<Item>[]) => {
        const added = parts.flatMap((part) => part.added);
        return { added, added_count: added.length, ...failuresOf(parts) };
      };
      return send("POST", domain, items, async () => (await responses()).added, combine, options);
    },
    updateMany(domain, items, options) {
      const combine = (parts: readonly Updated<Item>[]) => {
        const updated = parts.flatMap((part) => part.updated);
        return { updated, updated_count: updated.length, ...failuresOf(parts) };
      };
      return send("PUT", domain, items, async () => (await responses()).updated, combine, options);
    },
    deleteMany(domain, ids, options) {
      const combine = (parts: readonly Deleted[]) => {
        const deleted = parts.flatMap((part) => part.deleted);
        return { deleted, deleted_count: deleted.length, ...failuresOf(parts) };
      };
      return send("DELETE", domain, ids, async () => (await contract()).deletedResponse, combine, options);
    },
  };
}

/** The answer for a part of the items: failures must refer to one of these. */
function within<Answer extends Failures>(schema: z.ZodType<Answer>, part: readonly unknown[]): z.ZodType<Answer> {
  return schema.refine(({ failed }) => failed.every(({ index }) => index < part.length), {
    error: "an entry failed that was not sent",
    path: ["failed"],
  });
}
