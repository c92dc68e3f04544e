import type { TagTable } from "../../mustache/tokens.js";
import type { MarkupProblem, OpenTag, Piece } from "../../markup/scan.js";
import { OpenElements, type Unmatched } from "../../markup/open-elements.js";
import { brokenConditions, piecesInView, type ViewedPiece } from "../../markup/views.js";
import { halfSection, roleOf, type TokenAt, tokensIn } from "../sections.js";

/**
 * The first place where tokenised html is not balanced, as mail clients see it and as Outlook does, whether its
 * sections are shown never, once or many times: every element that is opened is closed, and each section leaves the
 * elements around it as they were.
 */
export function findImbalance(html: string, tags: TagTable): MarkupProblem | undefined {
  if (!html.includes("<")) return undefined;
  const [broken] = brokenConditions(html);
  if (broken)
    return {
      message: `This conditional comment lacks its ${broken.lacks}: Outlook sees nothing of it.`,
      offset: broken.offset,
      hint: "Write <!--[if mso]>…<![endif]-->.",
    };
  const tokens = tokensIn(html);
  const inView = (view: "normal" | "outlook", where: string): MarkupProblem | undefined => {
    const pieces = piecesInView(html, view);
    const problem = new Balance(tokens, tags, where).check(pieces);
    // A forgotten tag is told best where all are asked for, and is none where html does without it.
    if (!problem || !new Balance(tokens, tags, where, true).check(pieces)) return undefined;
    if (!("stray" in problem)) return problem;
    const { stray } = problem;
    const others = pieces.filter(({ piece }) => piece.start !== stray.offset);
    return new Balance(tokens, tags, where).check(others) ? problem : stray;
  };
  const problem = inView("normal", "");
  if (problem || !html.includes("[if")) return problem;
  return inView("outlook", " for Outlook, which reads the conditional comments,");
}

const NONE: readonly TokenAt[] = [];

class Balance {
  /** Of the whole html. */
  readonly #tokens: readonly TokenAt[];
  /** How many of them are in the pieces that have been checked. */
  #checked = 0;
  readonly #tags: TagTable;
  /** In which view, to add to a message. */
  readonly #where: string;
  readonly #open: OpenElements;
  /** The sections around, and the elements around the beginning of each. */
  readonly #sections: { readonly writtenAs: string; readonly offset: number; readonly around: string }[] = [];

  constructor(tokens: readonly TokenAt[], tags: TagTable, where: string, endsParts = false) {
    this.#tokens = tokens;
    this.#tags = tags;
    this.#where = where;
    this.#open = new OpenElements(where, endsParts);
  }

  check(pieces: readonly ViewedPiece[]): MarkupProblem | Unmatched | undefined {
    for (const { piece, hidden } of pieces) {
      const problem = piece.kind === "open" ? this.#checkTag(piece) : this.#checkSections(piece);
      if (problem) return problem;
      if (hidden) continue;
      if (piece.kind === "open") this.#open.open(piece);
      const unmatched = piece.kind === "close" ? this.#open.close(piece.name, piece.start) : undefined;
      if (unmatched) return unmatched;
    }
    return this.#open.end();
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
      message: `The section of ${this.#tags[half]?.text} has only one of its ends in the tag <${name}>.`,
      offset: start,
      hint: "Let it begin and end in the same tag, or around the whole element.",
    };
  }

  #checkSections({ start, end }: Piece): MarkupProblem | undefined {
    const tokens = this.#tokensIn(start, end);
    if (tokens.length === 0) return undefined;
    const around = this.#open.path;
    for (const { tag, offset } of tokens) {
      const role = roleOf(this.#tags[tag]);
      const writtenAs = this.#tags[tag]?.text ?? "";
      if (role === "opens") this.#sections.push({ writtenAs, offset, around });
      const section = role === "closes" ? this.#sections.pop() : undefined;
      if (!section || section.around === around) continue;
      const changes =
        around.length > section.around.length
          ? `leaves ${around.slice(section.around.length)} open`
          : `closes ${section.around.slice(around.length)}, which was opened before it`;
      return {
        message: `The section ${section.writtenAs}${this.#where} ${changes}: shown twice or never, the html around it breaks.`,
        offset: section.offset,
        hint: "Let the section hold whole elements.",
      };
    }
    return undefined;
  }

  /** The tokens of a piece that follows those that have been checked. */
  #tokensIn(start: number, end: number): readonly TokenAt[] {
    while ((this.#tokens[this.#checked]?.offset ?? start) < start) this.#checked += 1;
    const first = this.#checked;
    while ((this.#tokens[this.#checked]?.offset ?? end) < end) this.#checked += 1;
    return this.#checked === first ? NONE : this.#tokens.slice(first, this.#checked);
  }
}
