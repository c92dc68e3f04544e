import { lift } from "./choices.js";
import { compareCount } from "./counts.js";
import { WHOLE } from "./loops.js";
import { itemValue, slicedValue } from "./paths.js";
import { refuse } from "./refusal.js";
import type { Path, Slice, Sliced } from "./symbolic.js";

/** `list.slice(first, end)`, if the start counts from the beginning of the list; otherwise undefined. */
export function sliceOf(list: Path, first: unknown = 0, end?: unknown): object | undefined {
  if (!isIndex(first) || first < 0 || !(end === undefined || isIndex(end))) return undefined;
  const limits: Slice["limits"][number][] = [];
  if (first > 0) limits.push({ standing: { kind: "among-first", count: first }, answer: false });
  if (end !== undefined && end >= 0) limits.push({ standing: { kind: "among-first", count: end }, answer: true });
  if (end !== undefined && end < 0) limits.push({ standing: { kind: "among-last", count: -end }, answer: false });
  return slicedValue(list, { skipped: first, limits });
}

function isIndex(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value);
}

/** `list.slice(1)[0]`, `list.slice(0, -1).at(-1)` */
export function itemOfSlice(sliced: Sliced, index: number): unknown {
  const { of, slice } = sliced;
  const most = slice.limits.find(({ answer }) => answer)?.standing.count ?? Infinity;
  const cut = slice.limits.find(({ standing }) => standing.kind === "among-last")?.standing.count ?? 0;
  if (!isIndex(index) || (index < 0 && most < Infinity)) return refuse(sliced, "reads an item by its index");
  const place = index < 0 ? index - cut : index + slice.skipped;
  if (place >= most) return undefined;
  const isPlain = index < 0 ? slice.skipped === 0 && cut === 0 : cut === 0;
  if (isPlain) return itemValue(of, place);
  const needed = index < 0 ? slice.skipped - place : place + 1 + cut;
  const isThere = compareCount({ kind: "length", of, slice: WHOLE, offset: 0 }, ">=", needed);
  return lift(isThere, (there) => (there === true ? itemValue(of, place) : undefined));
}
