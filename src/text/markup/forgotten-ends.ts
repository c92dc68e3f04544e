import { type OpenTag, type Piece, VOID_ELEMENTS } from "./scan.js";

/** An element without an end tag, although HTML allows that, and what ended it. */
export interface ForgottenEnd {
  readonly tag: OpenTag;
  /** The tag that ended it: `<tr>`, `</table>`; empty at the end of the text. */
  readonly endedBy: string;
}

interface Open {
  readonly tag: OpenTag;
  /** For a table, a list or the whole document: the end tags of the elements in it. */
  readonly parts: Parts;
}

class Parts {
  readonly closed = new Map<string, number>();
  readonly leftOut = new Map<string, ForgottenEnd[]>();
}

/**
 * Finds end tags that were probably forgotten rather than omitted on purpose: in the same table or list, other elements of
 * the same name have theirs.
 * @example
 * forgottenEnds(scanMarkup("<ul><li>a</li><li>b</ul>").pieces); // [{ tag: the second <li>, endedBy: "</ul>" }]
 * forgottenEnds(scanMarkup("<ul><li>a<li>b</ul>").pieces); // []
 */
export function forgottenEnds(pieces: readonly Piece[]): ForgottenEnd[] {
  const whole = new Parts();
  const all = [whole];
  const open: Open[] = [];
  const partsOf = (name: string): Parts =>
    (name === "p" ? undefined : open.findLast(({ tag }) => HOLDERS.has(tag.name))?.parts) ?? whole;
  const leaveOut = (endedBy: string): void => {
    const tag = open.pop()?.tag;
    if (!tag) return;
    const { leftOut } = partsOf(tag.name);
    leftOut.set(tag.name, [...(leftOut.get(tag.name) ?? []), { tag, endedBy }]);
  };
  const innermost = (): string => open.at(-1)?.tag.name ?? "";
  for (const piece of pieces) {
    if (piece.kind === "open" && !piece.selfClosing && !VOID_ELEMENTS.has(piece.name)) {
      const ends = ENDED_BY_OPEN[piece.name] ?? NONE;
      while (ends.has(innermost())) leaveOut(`<${piece.name}>`);
      if (innermost() === "p" && BLOCKS.has(piece.name)) leaveOut(`<${piece.name}>`);
      const parts = HOLDERS.has(piece.name) ? new Parts() : whole;
      if (parts !== whole) all.push(parts);
      open.push({ tag: piece, parts });
    } else if (piece.kind === "close" && open.some(({ tag }) => tag.name === piece.name)) {
      while (innermost() !== piece.name && ENDS_ITSELF.has(innermost())) leaveOut(`</${piece.name}>`);
      // Other errors are reported elsewhere.
      if (innermost() !== piece.name) return [];
      open.pop();
      const { closed } = partsOf(piece.name);
      closed.set(piece.name, (closed.get(piece.name) ?? 0) + 1);
    }
  }
  return all.flatMap((parts) => forgottenIn(parts, parts === whole));
}

/** Omitting all end tags of a kind is deliberate; so is omitting a single one if nothing around it has an end tag. */
function forgottenIn({ closed, leftOut }: Parts, isWhole: boolean): ForgottenEnd[] {
  return Array.from(leftOut).flatMap(([name, omitted]) => {
    const others = closed.get(name) ?? 0;
    if (isWhole) return others > omitted.length ? omitted : [];
    const isAlone = omitted.length === 1 && closed.size > 0;
    return others > 0 || isAlone ? omitted : [];
  });
}

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

const NONE: ReadonlySet<string> = new Set();
const HOLDERS = setOf("table ul ol dl select");
const CELLS = setOf("td th p");
const ROWS = setOf("td th tr p");
const GROUPS = setOf("td th tr thead tbody tfoot p");
const TERMS = setOf("dt dd p");
const ENDS_ITSELF = setOf("td th tr thead tbody tfoot li dt dd option p");
const ENDED_BY_OPEN: Readonly<Record<string, ReadonlySet<string>>> = {
  td: CELLS,
  th: CELLS,
  tr: ROWS,
  thead: GROUPS,
  tbody: GROUPS,
  tfoot: GROUPS,
  li: setOf("li p"),
  dt: TERMS,
  dd: TERMS,
  option: setOf("option"),
};
/** Elements that end an open paragraph. */
const BLOCKS = setOf(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup main " +
    "menu nav ol p search section summary ul h1 h2 h3 h4 h5 h6 pre listing form plaintext table hr xmp",
);
