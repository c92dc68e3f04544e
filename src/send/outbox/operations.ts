import { ConfigurationError } from "../../errors.js";
import type { OutboxContext } from "./context.js";
import { type Change, changeNow } from "./retention.js";
import { OUTBOX_STATES, type OutboxFilter, type OutboxMessage, type OutboxState } from "./store.js";

/** One message by its id, several, or all that a filter matches. */
export type Which = string | readonly string[] | OutboxFilter;

export interface ChangeOptions {
  /** Only report what would be changed. Default false. */
  readonly dryRun?: boolean;
}

/** What was changed or, with `dryRun`, would be changed. */
export interface Changed {
  readonly ids: readonly string[];
  readonly skipped: readonly { readonly id: string; readonly state?: OutboxState; readonly reason: string }[];
}

const PAGE = 500;

interface Operation {
  /** The states that it applies to. */
  readonly from: readonly OutboxState[];
  /** The states of a filter without states. */
  readonly byDefault: readonly OutboxState[];
  readonly needsContents: boolean;
  change(message: OutboxMessage, now: number): Change;
}

export const RETRY: Operation = {
  from: ["parked", "rejected", "expired", "queued"],
  byDefault: ["parked", "rejected"],
  needsContents: true,
  change: ({ expiresAt }, now) => ({
    state: "queued",
    sendAt: now,
    neverExpires: expiresAt !== undefined && expiresAt <= now,
  }),
};

export const DISCARD: Operation = {
  from: ["queued", "parked", "rejected", "expired"],
  byDefault: ["parked", "rejected"],
  needsContents: false,
  change: () => ({ state: "discarded" }),
};

/** @throws {ConfigurationError} The filter has an unknown state. */
export async function changeMessages(
  context: OutboxContext,
  operation: Operation,
  which: Which,
  { dryRun = false }: ChangeOptions,
): Promise<Changed> {
  const { store, target, clock } = context;
  const ids: string[] = [];
  const skipped: { id: string; state?: OutboxState; reason: string }[] = [];
  const change = (message: OutboxMessage) => changeNow(operation.change(message, clock.time()), context);
  const changeOne = async (message: OutboxMessage) => {
    const { id, state } = message;
    const reason = whyNot(message, operation);
    if (reason !== undefined) skipped.push({ id, state, reason });
    else if (dryRun || (await store.change(id, { states: [state] }, change(message)))) ids.push(id);
    else skipped.push({ id, state, reason: "it has just changed" });
  };
  if (typeof which === "string" || isList(which)) {
    for (const id of [which].flat()) {
      const message = await store.get(target, id);
      if (message) await changeOne(message);
      else skipped.push({ id, reason: "there is no such message" });
    }
    return { ids, skipped };
  }
  const { limit = Number.POSITIVE_INFINITY, ...filter } = { state: operation.byDefault, ...requireStates(which) };
  let { after } = which;
  for (let left = limit; left > 0;) {
    const page = await store.list(target, { ...filter, limit: Math.min(PAGE, left), ...(after && { after }) });
    await Promise.all(page.map(changeOne));
    if (page.length < PAGE) break;
    left -= page.length;
    after = page.at(-1)?.id;
  }
  return { ids, skipped };
}

/** @throws {ConfigurationError} */
export function requireStates(filter: OutboxFilter): OutboxFilter {
  const wrong = [filter.state ?? []].flat().find((state) => !OUTBOX_STATES.includes(state));
  if (wrong === undefined) return filter;
  throw new ConfigurationError(`The outbox has no state "${wrong}".`, {
    hint: `Use one of ${OUTBOX_STATES.join(", ")}.`,
  });
}

function isList(which: readonly string[] | OutboxFilter): which is readonly string[] {
  return Array.isArray(which);
}

function whyNot({ state, hasContents }: OutboxMessage, { from, needsContents }: Operation): string | undefined {
  if (!from.includes(state)) return `it is ${state}`;
  return needsContents && !hasContents ? "its content is no longer stored" : undefined;
}
