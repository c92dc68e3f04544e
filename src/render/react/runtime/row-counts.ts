import { lift } from "./choices.js";
import { countValue, lengthOfRepeat } from "./loops.js";
import { isTrueOfSome } from "./quantifiers.js";
import { truthiness } from "./questions.js";
import { refuse } from "./refusal.js";
import { represented, type Repeat, type Rows } from "./symbolic.js";

/** `rows.length` */
export function lengthOfRows(rows: Rows): unknown {
  const [added, ...others] = rows.list.filter((each) => rows.added.has(each));
  if (others.length > 0) return refuse(rows, "counts rows added by more than one loop");
  const plain = rows.list.length - 1;
  return lift(added, (part) => {
    const symbolic = represented(part);
    if (symbolic?.kind !== "repeat") return plain + (Array.isArray(part) ? part.length : 0);
    return lift(lengthOfMapped(symbolic), (length) => {
      if (typeof length === "number") return length + plain;
      const count = represented(length);
      return count?.kind === "length" || count?.kind === "several"
        ? countValue({ ...count, offset: count.offset + plain })
        : length;
    });
  });
}

/** `list.flatMap(…).length`: 0, or a number that is only known to be positive. */
export function lengthOfMapped(repeat: Repeat): unknown {
  const { loop, slice, body, isFlat } = repeat;
  if (!isFlat || slice.limits.length > 0 || !areLists(body)) return lengthOfRepeat(repeat);
  return lift(isTrueOfSome(loop, hasRows(body)), (some) =>
    some === true ? countValue({ kind: "several", of: loop.list, offset: 0 }) : 0,
  );
}

/** Whether every case is a list whose length is available. */
function areLists(body: unknown): boolean {
  const symbolic = represented(body);
  if (symbolic?.kind === "choice") return areLists(symbolic.yes) && areLists(symbolic.no);
  return symbolic?.kind === "rows" || symbolic?.kind === "repeat" || (!symbolic && Array.isArray(body));
}

function hasRows(body: unknown): unknown {
  return lift(body, (rows) => {
    const symbolic = represented(rows);
    if (symbolic?.kind === "rows") return truthiness(lengthOfRows(symbolic));
    if (symbolic?.kind === "repeat") return truthiness(lengthOfMapped(symbolic));
    return Array.isArray(rows) && rows.length > 0;
  });
}
