import type { TagTable } from "../../mustache/tokens.js";
import { type MarkupProblem, type OpenTag, type Piece, VOID_ELEMENTS } from "../../markup.js";
import { halfSection, roleOf, tokensIn } from "../sections.js";
import { piecesInView, type View } from "./views.js";

/** Elements that html lets end by themselves. */
const END_BY_THEMSELVES: readonly string[] = ["p", "li", "dt", "dd", "option", "html", "head", "body"];

/**
 * The first place where tokenised html is not balanced, as mail clients see it and as Outlook does, whether its
 * sections are shown never, once or many times: every element that is opened is closed, and each section leaves the
 * elements around it as they were.
 */
export function findImbalance(html: string, tags: TagTable): MarkupProblem | undefined {
  if (!html.includes("<")) return undefined;
  const problem = new Balance(html, tags, "").check("normal");
  if (problem || !html.includes("[if")) return problem;
  return new Balance(html, tags, " for Outlook, which reads the conditional comments,").check("outlook");
}

class Balance {
  readonly #html: string;
  readonly #tags: TagTable;
  /** In which view, to add to a message. */
  readonly #where: string;
  readonly #open: OpenTag[] = [];
  /** The sections around, and the elements around the beginning of each. */
  readonly #sections: { readonly writtenAs: string; readonly offset: number; readonly around: string }[] = [];

  constructor(html: string, tags: TagTable, where: string) {
    this.#html = html;
    this.#tags = tags;
    this.#where = where;
  }

  check(view: View): MarkupProblem | undefined {
    for (const { piece, hidden } of piecesInView(this.#html, view)) {
      const problem = piece.kind === "open" ? this.#checkTag(piece) : this.#checkSections(piece);
      if (problem) return problem;
      if (hidden || !("name" in piece) || isFree(piece.name)) continue;
      if (piece.kind === "open") {
        if (!piece.selfClosing) this.#open.push(piece);
      } else {
        const unmatched = this.#close(piece.name, piece.start);
        if (unmatched) return unmatched;
      }
    }
    const [first] = this.#open;
    return first && this.#unclosed(first);
  }

  /** A tag is printed as a whole, or not at all. */
  #checkTag({ name, start, end }: OpenTag): MarkupProblem | undefined {
    const half = halfSection(
      this.#tokens(start, end).map(({ tag }) => tag),
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
    const tokens = this.#tokens(start, end);
    if (tokens.length === 0) return undefined;
    const around = this.#open.map(({ name }) => `<${name}>`).join("");
    for (const { tag, offset } of tokens) {
      const role = roleOf(this.#tags[tag]);
      const writtenAs = this.#tags[tag]?.text ?? "";
      if (role === "opens") this.#sections.push({ writtenAs, offset: start + offset, around });
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

  #close(name: string, offset: number): MarkupProblem | undefined {
    const innermost = this.#open.pop();
    if (innermost?.name === name) return undefined;
    if (innermost && this.#open.some((element) => element.name === name))
      return this.#unclosed(innermost, `</${name}>`);
    return { message: `</${name}>${this.#where} closes nothing.`, offset };
  }

  #unclosed({ name, start }: OpenTag, before?: string): MarkupProblem {
    const end = before === undefined ? "" : ` before ${before}`;
    return { message: `<${name}>${this.#where} is never closed${end}.`, offset: start };
  }

  #tokens(start: number, end: number): ReturnType<typeof tokensIn> {
    return tokensIn(this.#html.slice(start, end));
  }
}

/** Needs no closing tag. Outlook's own elements, in namespaces, are often closed twice, and it takes no offence. */
function isFree(name: string): boolean {
  return VOID_ELEMENTS.has(name) || END_BY_THEMSELVES.includes(name) || name.includes(":");
}
