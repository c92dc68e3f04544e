import type { z } from "zod";
import { failuresOf, type Failures, inBatches, moved } from "./batches.js";
import type { Caller, CallOptions } from "../calls/caller.js";
import { lazily } from "./lazily.js";

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

const contract = lazily(() => import("../contract/batch.js"));

/** @param member The name of the items in the body. */
export function batchCalls<New extends object, Update extends object, Item>(
  caller: Caller,
  endpoint: "/domains/:domain/aliases/batch" | "/domains/:domain/rules/batch",
  member: "aliases" | "rules",
  responses: () => Promise<BatchContract<Item>>,
): BatchCalls<New, Update, Item> {
  return {
    createMany: (domain, items, options) =>
      inBatches<New, Added<Item>>(
        items,
        async (part, start) => {
          const body = { [member]: part };
          const request = { method: "POST", endpoint, parameters: { domain }, body } as const;
          const answer = await caller.ask(request, async () => within((await responses()).added, part), options);
          return { ...answer, failed: moved(answer.failed, start) };
        },
        (parts) => {
          const added = parts.flatMap((part) => part.added);
          return { added, added_count: added.length, ...failuresOf(parts) };
        },
      ),
    updateMany: (domain, items, options) =>
      inBatches<Update, Updated<Item>>(
        items,
        async (part, start) => {
          const body = { [member]: part };
          const request = { method: "PUT", endpoint, parameters: { domain }, body } as const;
          const answer = await caller.ask(request, async () => within((await responses()).updated, part), options);
          return { ...answer, failed: moved(answer.failed, start) };
        },
        (parts) => {
          const updated = parts.flatMap((part) => part.updated);
          return { updated, updated_count: updated.length, ...failuresOf(parts) };
        },
      ),
    deleteMany: (domain, ids, options) =>
      inBatches<string, Deleted>(
        ids,
        async (part, start) => {
          const request = { method: "DELETE", endpoint, parameters: { domain }, body: { ids: part } } as const;
          const answer = await caller.ask(
            request,
            async () => within((await contract()).deletedResponse, part),
            options,
          );
          return { ...answer, failed: moved(answer.failed, start) };
        },
        (parts) => {
          const deleted = parts.flatMap((part) => part.deleted);
          return { deleted, deleted_count: deleted.length, ...failuresOf(parts) };
        },
      ),
  };
}

/** The answer for a part of the items: failures must refer to one of these. */
function within<Answer extends Failures>(schema: z.ZodType<Answer>, part: readonly unknown[]): z.ZodType<Answer> {
  return schema.refine(({ failed }) => failed.every(({ index }) => index < part.length), {
    error: "an entry failed that was not sent",
    path: ["failed"],
  });
}
