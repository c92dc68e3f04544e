import { halfSection, roleOf, type TagTable, TOKEN, type TokenAt, tokensIn } from "../../mustache/tokens.js";
import type { VariablesContract } from "../../mustache/variables.js";
import { type MarkupProblem, type OpenTag, type MarkupPiece, scanMarkup } from "../../text/markup/scan.js";
import { areEndedBy, OpenElements, type Unmatched } from "../../text/markup/open-elements.js";
import { inCase, testedSections, type TestedSections } from "./cases.js";

/** A place where HTML is not balanced. */
interface Imbalance extends MarkupProblem {
  /** The sections, by the numbers of their opening tags, on which the imbalance may depend. */
  readonly sections?: readonly number[];
}

/**
 * The first place where tokenised HTML is not balanced, as most email clients and as Outlook read it, whether its sections
 * are shown zero, one or many times. Every opened element must be closed, and each section must leave the open elements
 * unchanged, or another section with the same condition must compensate for it in every case.
 *
 * @param contract Says which sections may be shown more than once; without it, none is assumed to be.
 */
export function findImbalance(html: string, tags: TagTable, contract?: VariablesContract): MarkupProblem | undefined {
  if (!html.includes("<")) return undefined;
  const problem = imbalanceOf(html, tags);
  if (!problem?.sections) return problem;
  const deciding = { tags, sections: testedSections(html, tags, contract), decided: [] };
  return isBalancedInEachCase({ html, problem }, deciding) ? undefined : problem;
}

/** Maximum number of conditions to distinguish. */
const MOST_DECIDED = 6;

interface Deciding {
  readonly tags: TagTable;
  readonly sections: TestedSections;
  /** The conditions whose value is fixed in this case. */
  readonly decided: readonly string[];
}

/** All end tags are required here: without them, the end of an element would depend on what is shown. */
function isBalancedInEachCase(
  { html, problem }: { readonly html: string; readonly problem: Imbalance },
  { tags, sections, decided }: Deciding,
): boolean {
  const tested = problem.sections
    ?.flatMap((section) => sections.get(section) ?? [])
    .find(({ key }) => !decided.includes(key));
  if (!tested || decided.length === MOST_DECIDED) return false;
  const { key } = tested;
  return [true, false].every((isTrue) => {
    const filled = inCase(html, tags, { key, isTrue, sections });
    if (scanMarkup(filled).problems.length > 0) return false;
    const left = imbalanceOf(filled, tags, true);
    return (
      !left || isBalancedInEachCase({ html: filled, problem: left }, { tags, sections, decided: [...decided, key] })
    );
  });
}

/** @param isStrict Whether cells, rows and row groups need their end tags, too. */
export function imbalanceOf(html: string, tags: TagTable, isStrict = false): Imbalance | undefined {
  const [broken] = brokenConditions(html);
  if (broken)
    return {
      message: `This conditional comment has no ${broken.lacks}, so Outlook doesn't show it.`,
      offset: broken.offset,
      hint: "Write <!--[if mso]>…<![endif]-->.",
    };
  const tokens = tokensIn(html);
  const inView = (view: "normal" | "outlook", where: string): Imbalance | undefined => {
    const pieces = piecesInView(html, view);
    const problem = new Balance(tokens, tags, where).check(pieces);
    // A forgotten tag is located best if all end tags are required, but is not an error if HTML allows omitting it.
    if (!problem) return undefined;
    const isEnded: IsEnded = (from, parts) => endsNext(html, tags, { pieces, from, parts });
    if (!isStrict && !new Balance(tokens, tags, where, isEnded).check(pieces)) return undefined;
    if (!("stray" in problem)) return problem;
    const { stray, sections } = problem;
    const others = pieces.filter(({ piece }) => piece.start !== stray.offset);
    return new Balance(tokens, tags, where).check(others) ? problem : { ...stray, ...(sections && { sections }) };
  };
  const problem = inView("normal", "");
  if (problem || !html.includes("[if")) return problem;
  return inView("outlook", " for Outlook, which reads the conditional comments,");
}

const NONE: readonly TokenAt[] = [];

function namedByTag(offset: number): MarkupProblem {
  return {
    message: "A Mustache tag can't be part of an element name.",
    offset,
    hint: "Write one element for each name, each in a separate section.",
  };
}

/** Whether elements without end tags are ended by what follows an offset. */
type IsEnded = (from: number, parts: readonly string[]) => boolean;

interface OpenSection {
  readonly tag: number;
  readonly writtenAs: string;
  readonly offset: number;
  /** The elements around its beginning. */
  readonly around: string;
  /** The elements that ended where it began: if it is not shown, something else must end them. */
  readonly ended: readonly string[];
}

class Balance {
  /** All tokens of the HTML. */
  readonly #tokens: readonly TokenAt[];
  /** The number of tokens in the pieces checked so far. */
  #checked = 0;
  readonly #tags: TagTable;
  /** Names the view in messages. */
  readonly #where: string;
  readonly #open: OpenElements;
  readonly #sections: OpenSection[] = [];
  readonly #isEnded: IsEnded | undefined;

  /** @param isEnded Set if cells, rows and row groups may omit their closing tags, as HTML allows. */
  constructor(tokens: readonly TokenAt[], tags: TagTable, where: string, isEnded?: IsEnded) {
    this.#isEnded = isEnded;
    this.#tokens = tokens;
    this.#tags = tags;
    this.#where = where;
    this.#open = new OpenElements(where, isEnded !== undefined);
  }

  check(pieces: readonly ViewedPiece[]): Imbalance | (Imbalance & Unmatched) | undefined {
    for (const { piece, hidden } of pieces) {
      if (piece.kind === "close" && piece.name.search(TOKEN) >= 0) return namedByTag(piece.start);
      const problem = piece.kind === "open" ? this.#checkTag(piece) : this.#checkSections(piece);
      if (problem) return problem;
      if (hidden) continue;
      if (piece.kind === "open") this.#open.open(piece);
      const unmatched = piece.kind === "close" ? this.#open.close(piece.name, piece.start) : undefined;
      if (unmatched && this.#sections.length > 0)
        return { ...unmatched, sections: this.#sections.map(({ tag }) => tag).toReversed() };
      if (unmatched) return unmatched;
    }
    return this.#open.unclosed();
  }

  /** A tag is printed as a whole, or not at all. */
  #checkTag({ name, start, end }: OpenTag): MarkupProblem | undefined {
    const tokens = this.#tokensIn(start, end);
    if (tokens.length === 0) return undefined;
    const half = halfSection(
      tokens.map(({ tag }) => tag),
      this.#tags,
    );
    if (half === undefined) return undefined;
    return {
      message: `Only one end of the section ${this.#tags[half]?.text} is inside the tag <${name}>.`,
      offset: start,
      hint: "Begin and end it inside the same tag, or put it around the whole element.",
    };
  }

  #checkSections({ start, end }: MarkupPiece): Imbalance | undefined {
    const tokens = this.#tokensIn(start, end);
    if (tokens.length === 0) return undefined;
    let around = this.#open.path;
    for (const { tag, offset } of tokens) {
      const role = roleOf(this.#tags[tag]);
      const writtenAs = this.#tags[tag]?.text ?? "";
      if (role === "opens") {
        const ended = this.#endBefore(offset);
        around = this.#open.path;
        this.#sections.push({ tag, writtenAs, offset, around, ended });
      }
      const section = role === "closes" ? this.#sections.pop() : undefined;
      const isSame =
        section?.around === around && (section.ended.length === 0 || this.#isEnded?.(offset, section.ended));
      if (!section || isSame === true) continue;
      if (this.#endsItself(section, around, offset)) {
        around = section.around;
        continue;
      }
      const changes =
        around.length > section.around.length
          ? `leaves ${around.slice(section.around.length)} open`
          : `closes ${section.around.slice(around.length)}, which was opened before it`;
      return {
        message: `The section ${section.writtenAs}${this.#where} ${changes}: if it is shown zero or two times, the HTML around it breaks.`,
        offset: section.offset,
        hint: "Let the section contain whole elements.",
        sections: [section.tag],
      };
    }
    return undefined;
  }

  /** Ends the table parts that the first tag of a section ends. */
  #endBefore(offset: number): readonly string[] {
    const parts = this.#isEnded ? namesIn(this.#open.path) : [];
    for (let from = parts.findLastIndex((name) => name === "table") + 1; from < parts.length; from += 1) {
      const ended = parts.slice(from);
      if (this.#isEnded?.(offset, ended) !== true) continue;
      this.#open.end(ended.length);
      return ended;
    }
    return [];
  }

  /** Whether a section leaves only table parts open that both its next repetition and what follows it end. */
  #endsItself(section: OpenSection, around: string, end: number): boolean {
    if (!around.startsWith(section.around)) return false;
    const parts = namesIn(around.slice(section.around.length));
    if (section.ended.length > 0 && this.#isEnded?.(end, section.ended) !== true) return false;
    if (this.#isEnded?.(section.offset, parts) !== true || !this.#isEnded(end, parts)) return false;
    this.#open.end(parts.length);
    return true;
  }

  /** The tokens of a piece after those checked so far. */
  #tokensIn(start: number, end: number): readonly TokenAt[] {
    while ((this.#tokens[this.#checked]?.offset ?? start) < start) this.#checked += 1;
    const first = this.#checked;
    while ((this.#tokens[this.#checked]?.offset ?? end) < end) this.#checked += 1;
    return this.#checked === first ? NONE : this.#tokens.slice(first, this.#checked);
  }
}

/** The names in `<table><tr>`. */
function namesIn(path: string): string[] {
  return Array.from(path.matchAll(/<([^>]+)>/g), ([, name = ""]) => name);
}

interface Following {
  readonly pieces: readonly ViewedPiece[];
  /** The offset of a section's tag. */
  readonly from: number;
  readonly parts: readonly string[];
}

/** Whether the next tag ends these table parts, whichever sections are shown after them. */
function endsNext(html: string, tags: TagTable, { pieces, from, parts }: Following): boolean {
  let depth = 0;
  /** The depth of the section whose first tag has ended them. */
  let ended = Infinity;
  let isFirst = true;
  for (const { piece, hidden } of pieces) {
    if (hidden || piece.end <= from) continue;
    if (piece.kind === "open" || piece.kind === "close") {
      if (depth >= ended) continue;
      if (!areEndedBy(parts, piece)) return false;
      if (depth === 0) return true;
      ended = depth;
    } else if (piece.kind === "text") {
      for (const [written, number] of html.slice(Math.max(piece.start, from), piece.end).matchAll(TOKEN_OR_WORD)) {
        const role = number === undefined ? undefined : roleOf(tags[Number(number)]);
        if (isFirst) {
          isFirst = false;
          continue;
        }
        if (role === "opens") depth += 1;
        else if (role === "closes") depth -= 1;
        else if (written !== "" && depth < ended) return false;
        if (depth < 0) return false;
        if (depth < ended) ended = Infinity;
      }
    }
  }
  return false;
}

const TOKEN_OR_WORD = new RegExp(`${TOKEN.source}|[^\\s\uE000]+`, "g");

/** How a body is read: by most email clients, or by Outlook for Windows, which applies conditional comments. */
type View = "normal" | "outlook";

/** A piece of a body in a view; in `hidden` pieces, only the Mustache tags count. */
interface ViewedPiece {
  readonly piece: MarkupPiece;
  readonly hidden: boolean;
}

const HIDDEN_BLOCK = /^<!--\[if ([^\]]*)\]>(?!<!--)([^]*?)(?:<!\[endif\]-->)$/;
const SHOWN_BLOCK_START = /^<!(?:--)?\[if ([^\]]*)\](?:><!--.*)?>$/;
const SHOWN_BLOCK_END = /^<!(?:--<!)?\[endif\](?:--)?>$/;

/** The pieces of a body in order, with conditional comments resolved for a view. */
export function piecesInView(html: string, view: View): ViewedPiece[] {
  const viewed: ViewedPiece[] = [];
  let hidden = false;
  for (const piece of scanMarkup(html).pieces) {
    if (piece.kind !== "comment" && piece.kind !== "declaration") {
      viewed.push({ piece, hidden });
      continue;
    }
    const text = html.slice(piece.start, piece.end);
    const block = HIDDEN_BLOCK.exec(text);
    const start = SHOWN_BLOCK_START.exec(text);
    if (block && view === "outlook" && isForOutlook(block[1] ?? "")) {
      const inner = block[2] ?? "";
      const shift = piece.start + text.indexOf(inner, text.indexOf("]>") + 2);
      for (const within of scanMarkup(inner).pieces) viewed.push({ piece: shifted(within, shift), hidden });
    } else if (start && !block) {
      hidden = view === "outlook" && !isForOutlook(start[1] ?? "");
    } else if (SHOWN_BLOCK_END.test(text)) {
      hidden = false;
    } else {
      viewed.push({ piece, hidden: hidden || piece.kind === "comment" });
    }
  }
  return viewed;
}

/** A body without what a view hides: what a client that treats conditional comments this way sees. */
export function htmlInView(html: string, view: View): string {
  return piecesInView(html, view)
    .map(({ piece, hidden }) => (hidden ? "" : html.slice(piece.start, piece.end)))
    .join("");
}

/** Finds conditional comments whose condition or end is misspelt: they hide their content from Outlook, too. */
function brokenConditions(html: string): { readonly offset: number; readonly lacks: string }[] {
  if (!html.includes("<!--[if")) return [];
  return scanMarkup(html).pieces.flatMap(({ kind, start, end }) => {
    const text = kind === "comment" ? html.slice(start, end) : "";
    if (!/^<!--\[if\b/.test(text)) return [];
    if (!/^<!--\[if[^\]<]*\]\s*>/.test(text)) return [{ offset: start, lacks: "]>" }];
    if (/^<!--\[if[^\]]*\b(?:mos|oms|smo|msoo|mmso|ms0)\b/i.test(text)) return [{ offset: start, lacks: "mso" }];
    return ENDED.test(text) ? [] : [{ offset: start, lacks: "<![endif]-->" }];
  });
}

/** Ends correctly, or begins the content for all clients except Outlook. */
const ENDED = /<!\[endif\]-->$|^<!--\[if[^\]]*\]\s*>\s*(?:<!--.*|--)?>?$|^<!--\[if[^\]]*\]\s*>\s*<!--/;

/** Whether a condition applies to Outlook for Windows, in any version. */
function isForOutlook(condition: string): boolean {
  return /\bmso\b/.test(condition) && !/!\s*\(?\s*mso\b/.test(condition);
}

function shifted(piece: MarkupPiece, by: number): MarkupPiece {
  const moved = { ...piece, start: piece.start + by, end: piece.end + by };
  return moved;
}
