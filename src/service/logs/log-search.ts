import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogFeed } from "../store/log-feed.js";
import { DomainIndex, transportNumber } from "./domain-index.js";
import type { Grade } from "./grade.js";
import { byRelevance, rank } from "./rank.js";
import type { LogFilter } from "../store/log-filter.js";
import { statusBits } from "../store/log-status.js";

/**
 * Maximum number of entries that are read before other requests get their turn; they take some hundredths of a second.
 */
const SLICE = 2_000;

export interface SearchQuestion {
  /** Words in any order. Undefined: every entry that the filter accepts. */
  readonly query?: string | undefined;
  /** How well each word must match. Default: with a typo. */
  readonly least?: Grade;
  readonly filter: SearchFilter;
  /** The time from which entries are kept. */
  readonly horizon: number;
  /** The time up to which entries are shown. */
  readonly latest: number;
  readonly order: "relevance" | "newest" | "oldest";
}

export interface Found {
  readonly total: number;
  /** The numbers (`seq`) of a range of the entries, in the requested order. */
  seqs(from: number, to: number): number[];
}

const nothing: Found = { total: 0, seqs: () => [] };

/**
 * Searches the log in memory. Sending writes nothing to the index; a search first reads what was added since the last
 * one.
 *
 * @example
 * const found = await search.find(domain.id, { query: "recipt ada", filter: {}, horizon: 0, order: "relevance" });
 * store.logs.bySeq(found.seqs(0, 20));
 */
export class LogSearch {
  readonly #feed;
  readonly #domains = new Map<number, DomainIndex>();
  #lastEntry = 0;
  #lastEvent = 0;
  #deletedDomains: number;
  #expired = 0;
  #reading: Promise<void> | undefined;

  constructor(feed: LogFeed) {
    this.#feed = feed;
    this.#deletedDomains = feed.deletedDomains();
  }

  async find(domainId: number, question: SearchQuestion): Promise<Found> {
    await this.catchUp();
    const index = this.#domains.get(domainId);
    if (!index) return nothing;
    const selected = select(index, question.filter, question.horizon, question.latest);
    const ranked = question.query === undefined ? undefined : rank(index, question.query, selected, question.least);
    const positions = ranked && question.order === "relevance" ? byRelevance(ranked) : (ranked?.positions ?? selected);
    const ordered = question.order === "oldest" ? positions.toReversed() : positions;
    const seqs = index.seq.values;
    return {
      total: positions.length,
      seqs: (from, to) => Array.from(ordered.subarray(from, to), (position) => seqs[position] ?? 0),
    };
  }

  /** Reads new entries, in slices. */
  async catchUp(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    await this.#reading;
    // Entries that arrived after the last slice.
    this.#readSlice();
  }

  /**
   * Takes note that entries have expired. They are no longer found. When there are many, the index is rebuilt without
   * them.
   */
  forgetExpired(count: number): void {
    this.#expired += count;
    const size = [...this.#domains.values()].reduce((sum, index) => sum + index.size, 0);
    if (this.#expired > size / 2) this.#forgetAll();
  }

  async #readAll(): Promise<void> {
    while (this.#readSlice()) await nextTurn();
  }

  /** Returns whether there is more to read. */
  #readSlice(): boolean {
    const deletedDomains = this.#feed.deletedDomains();
    if (deletedDomains !== this.#deletedDomains) {
      this.#deletedDomains = deletedDomains;
      this.#forgetAll();
    }
    const lastEvent = this.#feed.lastEvent();
    if (lastEvent > this.#lastEvent) {
      for (const { domainId, entrySeq, statuses } of this.#feed.statusesAfter(this.#lastEvent, this.#lastEntry)) {
        this.#domains.get(domainId)?.addStatuses(entrySeq, statuses);
      }
      this.#lastEvent = lastEvent;
    }
    const entries = this.#feed.entriesAfter(this.#lastEntry, SLICE);
    for (const entry of entries) this.#indexOf(entry.domainId).add(entry);
    this.#lastEntry = entries.at(-1)?.seq ?? this.#lastEntry;
    return entries.length === SLICE;
  }

  #indexOf(domainId: number): DomainIndex {
    const known = this.#domains.get(domainId);
    if (known) return known;
    const index = new DomainIndex();
    this.#domains.set(domainId, index);
    return index;
  }

  #forgetAll(): void {
    this.#domains.clear();
    this.#lastEntry = 0;
    this.#expired = 0;
  }
}

/** A search's filter, which matches addresses by a substring. */
type SearchFilter = Omit<LogFilter, "between">;

/**
 * The positions of the entries that the filter accepts, newest first. `horizon` is the time from which entries are
 * kept, `latest` the time up to which they are shown.
 */
function select(index: DomainIndex, filter: SearchFilter, horizon: number, latest: number): Uint32Array {
  const { from = horizon, until = Infinity } = filter.times ?? {};
  const earliest = Math.max(from, horizon);
  const createdAt = index.createdAt.values;
  const checks = [
    ...addressChecks(index, filter),
    ...(filter.transport ? [is(index.transport.values, transportNumber(filter.transport))] : []),
    ...(filter.status ? [hasBit(index.statuses.values, statusBits(filter.status))] : []),
  ];
  const isInTime: Check = (position) => {
    const time = createdAt[position] ?? 0;
    return time >= earliest && time < until && time <= latest;
  };
  const areAllInTime = index.oldest >= earliest && index.newest < until && index.newest <= latest;
  return [...(areAllInTime ? [] : [isInTime]), ...checks].reduce(keep, index.newestFirst());
}

function keep(positions: Uint32Array, check: Check): Uint32Array {
  const kept = new Uint32Array(positions.length);
  let count = 0;
  // An iterator would take several times as long.
  for (let place = 0; place < positions.length; place += 1) {
    const position = positions[place] ?? 0;
    if (check(position)) kept[count++] = position;
  }
  return kept.subarray(0, count);
}

type Check = (position: number) => boolean;

function addressChecks(index: DomainIndex, filter: SearchFilter): Check[] {
  return (["sender", "recipient", "forward"] as const).flatMap((role) => {
    const part = filter[role]?.toLowerCase();
    if (part === undefined) return [];
    // Each address is tested once, however many entries have it.
    const matches = index.addresses.map((address) => address !== "" && address.includes(part));
    const addresses = index[role].values;
    return [(position: number) => matches[addresses[position] ?? 0] === true];
  });
}

function is(values: Uint8Array, wanted: number): Check {
  return (position) => values[position] === wanted;
}

function hasBit(values: Uint8Array, bits: number): Check {
  return (position) => ((values[position] ?? 0) & bits) !== 0;
}
