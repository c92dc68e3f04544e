import { LettershopError } from "../../errors.js";
import type { DescribedMessage, OutboxOverview, OutboxReport } from "../../preview/contract.js";
import { POSTGRES_ADDRESS } from "../../project/environment.js";
import type { OutboxStats } from "../../send/outbox/outbox.js";
import { OUTBOX_STATES, type OutboxFilter } from "../../send/store/outbox.js";
import { UsageError } from "../arguments.js";
import {
  type Box,
  boxesOf,
  type NamedStore,
  openStore,
  requireFile,
  type StoreFlags,
  storeNamed,
} from "../outbox/boxes.js";
import { describeMessage, findMessage, maskAddresses } from "../outbox/report.js";

/** How long an open store is kept while nobody looks, in ms. */
const IDLE_MS = 60_000;

/** The page may be open to others, and the store may be that of production. */
const masked = { addresses: false };

interface OpenedStore {
  readonly identity: string;
  readonly store: Promise<NamedStore>;
}

interface OutboxReader {
  /** Why the store can't be read is part of the report. */
  read(query: OutboxFilter & { readonly target?: string | undefined; readonly limit: number }): Promise<OutboxReport>;
  /** @throws {LettershopError} The message does not exist, or the store can't be read. */
  message(id: string): Promise<DescribedMessage>;
  close(): Promise<void>;
}

/** Reads the outbox for the preview. The first call opens the store; it is closed when nobody looks any more. */
export function createOutboxReader(flags: StoreFlags): OutboxReader {
  let opened: OpenedStore | undefined;
  let idle: NodeJS.Timeout | undefined;

  const close = async (): Promise<void> => {
    clearTimeout(idle);
    const store = opened?.store;
    opened = undefined;
    await (await store?.catch(() => undefined))?.close();
  };

  const withStore = async <Result>(use: (store: NamedStore) => Promise<Result>): Promise<Result> => {
    const named = storeNamed(flags);
    if (named === undefined) throw new UsageError("No store is named.", { hint: "Set LETTERSHOP_STORE." });
    const identity = await identityOf(named);
    if (opened?.identity !== identity) void close();
    const current = (opened ??= { identity, store: openStore(named, flags) });
    clearTimeout(idle);
    idle = setTimeout(() => void close(), IDLE_MS).unref();
    try {
      return await use(await current.store);
    } catch (error) {
      // Whatever has happened to the store, the next call opens it again. A missing message says nothing about the store.
      if (opened === current && !(error instanceof UsageError)) void close();
      throw error;
    }
  };

  return {
    async read({ target, ...filter }) {
      if (storeNamed(flags) === undefined) return {};
      try {
        return await withStore(async (store) => {
          const targets = await store.outbox.targets();
          const boxes = boxesOf(store, target === undefined ? targets : [target]);
          const [totals, listed] = await Promise.all([totalsOf(boxes), newestOf(boxes, filter)]);
          return { outbox: { store: store.name, targets, ...totals, ...listed } };
        });
      } catch (error) {
        if (!(error instanceof LettershopError)) throw error;
        return { trouble: { message: error.message, hint: error.hint } };
      }
    },
    message: (id) =>
      withStore(async (store) => {
        const { message, target } = await findMessage(boxesOf(store, await store.outbox.targets()), id);
        return describeMessage(message, target, masked);
      }),
    close,
  };
}

/** Changes if a file was replaced by another one, which an open store would not notice. */
async function identityOf(named: string): Promise<string> {
  if (POSTGRES_ADDRESS.test(named)) return named;
  const { dev, ino } = await requireFile(named);
  return `${named} ${dev} ${ino}`;
}

type Totals = Pick<OutboxOverview, "counts" | "due" | "oldestDueMs" | "problems">;

async function totalsOf(boxes: readonly Box[]): Promise<Totals> {
  const all = await Promise.all(boxes.map((box) => box.stats()));
  const sum = (numberOf: (stats: OutboxStats) => number) => all.reduce((total, stats) => total + numberOf(stats), 0);
  const dueTimes = all.flatMap(({ oldestDueMs }) => oldestDueMs ?? []);
  return {
    counts: Object.fromEntries(OUTBOX_STATES.map((state) => [state, sum(({ counts }) => counts[state])])),
    due: sum(({ due }) => due),
    ...(dueTimes.length > 0 && { oldestDueMs: Math.max(...dueTimes) }),
    problems: all
      .flatMap(({ problems }) => problems)
      .toSorted((a, b) => b.messages - a.messages)
      .map(({ reason, lastAt, ...problem }) => ({
        ...problem,
        reason: maskAddresses(reason),
        lastAt: new Date(lastAt).toISOString(),
      })),
  };
}

async function newestOf(
  boxes: readonly Box[],
  filter: OutboxFilter & { readonly limit: number },
): Promise<Pick<OutboxOverview, "messages" | "hasMore">> {
  const { limit } = filter;
  // One more than the limit, to know whether there are more.
  const listed = await Promise.all(boxes.map((box) => box.list({ ...filter, limit: limit + 1 })));
  const newest = listed.flat().toSorted((a, b) => b.queuedAt - a.queuedAt);
  return {
    messages: newest.slice(0, limit).map((message) => describeMessage(message, message.target, masked)),
    hasMore: newest.length > limit,
  };
}
