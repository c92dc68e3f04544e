import { type CssToken, isBlank } from "./tokens.js";

/** What stands between two signs that end something: a declaration, a selector, the prelude of an at-rule. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Without blanks and comments. */
  readonly tokens: readonly CssToken[];
  /** What opens a bracket that is not closed in it. */
  readonly unclosed: CssToken | undefined;
  /** The index of the token that ends it. */
  readonly next: number;
}

/** From a token on, up to `;`, `{`, `}` or the end of the text; in closed brackets these end nothing. */
export function spanFrom(all: readonly CssToken[], from: number): Span {
  const tokens: CssToken[] = [];
  let unclosed: CssToken | undefined;
  let next = from;
  for (let token = all[next]; token && !ENDS.has(token.kind); token = all[next]) {
    const closing = OPENS.has(token.kind) ? closingOf(all, next) : next;
    if (closing === undefined) unclosed ??= token;
    const end = closing ?? next;
    tokens.push(...all.slice(next, end + 1).filter((each) => !isBlank(each)));
    next = end + 1;
  }
  const start = tokens[0]?.start ?? all[next]?.start ?? 0;
  return { start, end: tokens.at(-1)?.end ?? start, tokens, unclosed, next };
}

const ENDS: ReadonlySet<string> = new Set([";", "{", "}"]);
const OPENS: ReadonlySet<string> = new Set(["(", "[", "function"]);

/** The index of what closes a bracket. */
function closingOf(all: readonly CssToken[], from: number): number | undefined {
  // What Internet Explorer runs is a script.
  const isScript = all[from]?.text.toLowerCase() === "expression(";
  let open = 0;
  for (let index = from; index < all.length; index += 1) {
    const kind = all[index]?.kind ?? "eof";
    if (OPENS.has(kind)) open += 1;
    else if (kind === ")" || kind === "]") open -= 1;
    else if (ENDS.has(kind) && !isScript) return undefined;
    if (open === 0) return index;
  }
  return undefined;
}
