import { badDelimiters, emptyTag, unclosedTag } from "./problems.js";
import type { MustacheProblem, Span } from "./tree.js";

export type TagKind =
  | "variable"
  | "unescaped"
  | "section"
  | "inverted"
  | "close"
  | "comment"
  | "partial"
  | "delimiters";

/** One tag in the text, before sections are matched. */
export interface ScannedTag extends Span {
  readonly kind: TagKind;
  /** The content between the delimiters, without the sigil and the whitespace around it. */
  readonly name: string;
}

const SIGILS: Readonly<Record<string, TagKind>> = {
  "{": "unescaped",
  "&": "unescaped",
  "#": "section",
  "^": "inverted",
  "/": "close",
  "!": "comment",
  ">": "partial",
  "=": "delimiters",
};

const CLOSING_SIGILS: Readonly<Record<string, string>> = { "{": "}", "=": "=" };
const NOT_WHITESPACE = /\S/g;

/** Finds every tag of a text in one pass. Never throws: an incomplete tag is a problem, and stays text. */
export function scan(text: string): { readonly tags: ScannedTag[]; readonly problems: MustacheProblem[] } {
  const tags: ScannedTag[] = [];
  const problems: MustacheProblem[] = [];
  let open = "{{";
  let close = "}}";
  let from = 0;
  const endings = new Occurrences(text);

  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, from)) {
    NOT_WHITESPACE.lastIndex = start + open.length;
    const inner = NOT_WHITESPACE.exec(text)?.index ?? text.length;
    const sigil = text.charAt(inner);
    const kind = SIGILS[sigil] ?? "variable";
    const contentStart = kind === "variable" ? inner : inner + 1;
    const closing = (CLOSING_SIGILS[sigil] ?? "") + close;
    const contentEnd = endings.next(closing, contentStart);
    const content = text.slice(contentStart, contentEnd < 0 ? contentStart : contentEnd);
    const nested = kind === "comment" || kind === "delimiters" ? -1 : content.indexOf(open);
    if (contentEnd < 0 || nested >= 0 || (sigil === "{" && content.includes(close))) {
      problems.push(unclosedTag(text, start, { open, closing }));
      from = contentStart + Math.max(0, nested);
      continue;
    }

    from = contentEnd + closing.length;
    const tag: ScannedTag = { kind, name: content.trim(), start, end: from };
    tags.push(tag);
    if (kind === "delimiters") {
      const pair = tag.name.split(/\s+/);
      const [first, second] = pair;
      if (first && second && pair.length === 2 && !tag.name.includes("=")) [open, close] = [first, second];
      else problems.push(badDelimiters(text, tag));
    } else if (tag.name === "" && kind !== "comment") {
      problems.push(emptyTag(text, tag));
    }
  }
  return { tags, problems };
}

/** Forward-only searches: each result is remembered, so that any text is scanned in linear time. */
class Occurrences {
  readonly #text: string;
  readonly #known = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The next position of `part`, or -1. */
  next(part: string, from: number): number {
    const known = this.#known.get(part);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const position = this.#text.indexOf(part, from);
    this.#known.set(part, position);
    return position;
  }
}
