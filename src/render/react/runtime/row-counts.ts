import { lift } from "./choices.js";
import { countValue, lengthOfRepeat } from "./loops.js";
import { holdsForSome } from "./quantifiers.js";
import { truthiness } from "./questions.js";
import { refuse } from "./refusal.js";
import { represented, type Repeat, type Rows } from "./symbolic.js";

/** `rows.length` */
export function lengthOfRows(rows: Rows): unknown {
  const [added, ...others] = rows.list.filter((each) => rows.added.has(each));
  if (others.length > 0) return refuse(rows, "counts what more than one loop adds");
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

/** `list.flatMap(…).length`: none, or so many that only that there are some is known. */
export function lengthOfMapped(repeat: Repeat): unknown {
  const { loop, slice, body, isFlat } = repeat;
  if (!isFlat || slice.limits.length > 0 || !isOfLists(body)) return lengthOfRepeat(repeat);
  return lift(holdsForSome(loop, hasRows(body)), (some) =>
    some === true ? countValue({ kind: "several", of: loop.list, offset: 0 }) : 0,
  );
}

/** Whether each way comes to a list whose length can be asked for. */
function isOfLists(body: unknown): boolean {
  const symbolic = represented(body);
  if (symbolic?.kind === "choice") return isOfLists(symbolic.yes) && isOfLists(symbolic.no);
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
