import { lift, pick } from "./choices.js";
import { isOnly, maybeMissing } from "./kinds.js";
import { lengthValue } from "./loops.js";
import { memberOf } from "./paths.js";
import { refuse } from "./refusal.js";
import { lengthOfMapped, lengthOfRows } from "./row-counts.js";
import type { Path } from "./symbolic.js";
import { symbolicOf } from "./texts.js";

/**
 * `value.length`; `native` is the operation on ordinary values.
 *
 * @param mayEnd Whether it is written with `?.`, so that it is undefined if the value is absent; otherwise it would throw.
 */
export function lengthOf(value: unknown, native: (value: unknown) => unknown, mayEnd: boolean): unknown {
  return lift(value, (each) => {
    const symbolic = symbolicOf(each);
    if (!symbolic) return native(each);
    if (symbolic.kind === "path") return lengthOfPath(symbolic, mayEnd);
    if (symbolic.kind === "repeat") return lengthOfMapped(symbolic);
    if (symbolic.kind === "rows") return lengthOfRows(symbolic);
    if (symbolic.kind === "sliced") return lengthValue(symbolic.of, symbolic.slice);
    return refuse(symbolic, "counts the characters of a string made from variables");
  });
}

function lengthOfPath(path: Path, mayEnd: boolean): unknown {
  if (isOnly(path, "object")) return memberOf(path, "length");
  const length = lengthValue(path);
  const isThere = { path, question: { kind: "present" } } as const;
  return mayEnd && maybeMissing(path) ? pick(isThere, length, undefined) : length;
}
