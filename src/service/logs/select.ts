import type { LogFilter } from "../store/log-filter.js";
import { statusBits } from "../store/log-status.js";
import { type DomainIndex, transportNumber } from "./domain-index.js";

/** A search's filter, which matches addresses by a substring. */
export type SearchFilter = Omit<LogFilter, "between">;

/**
 * The positions of the entries that the filter accepts, newest first. `horizon` is the time from which entries are
 * kept, `latest` the time up to which they are shown.
 */
export function select(index: DomainIndex, filter: SearchFilter, horizon: number, latest: number): Uint32Array {
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
