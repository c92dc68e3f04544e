import { type MarkupProblem, type OpenTag, VOID_ELEMENTS } from "./scan.js";

/** Elements that html lets end by themselves. */
const END_BY_THEMSELVES: readonly string[] = ["p", "li", "dt", "dd", "option", "html", "head", "body"];

/** A closing tag that does not match what is open. */
export interface Unmatched extends MarkupProblem {
  /** What is wrong if nothing was forgotten, and the closing tag is one too many. */
  readonly stray: MarkupProblem;
}

/** The elements that are open while html is read, but for those that need no closing tag. */
export class OpenElements {
  readonly #open: OpenTag[] = [];
  /** In which view, to add to a message. */
  readonly #where: string;

  constructor(where = "") {
    this.#where = where;
  }

  /** `<table><tr>` */
  get path(): string {
    return this.#open.map(({ name }) => `<${name}>`).join("");
  }

  open(tag: OpenTag): void {
    if (!tag.selfClosing && !isFree(tag.name)) this.#open.push(tag);
  }

  /** What is wrong with a closing tag here. */
  close(name: string, offset: number): Unmatched | undefined {
    if (isFree(name)) return undefined;
    const innermost = this.#open.pop();
    if (innermost?.name === name) return undefined;
    const stray = { message: `</${name}>${this.#where} closes nothing.`, offset };
    const isOpen = this.#open.some((element) => element.name === name);
    return innermost && isOpen ? { ...this.#unclosed(innermost, ` before </${name}>`), stray } : { ...stray, stray };
  }

  /** What is still open at the end. */
  end(): MarkupProblem | undefined {
    const [first] = this.#open;
    return first && this.#unclosed(first);
  }

  #unclosed({ name, start }: OpenTag, before = ""): MarkupProblem {
    return { message: `<${name}>${this.#where} is never closed${before}.`, offset: start };
  }
}

/** Needs no closing tag. Outlook's own elements, in namespaces, are often closed twice, and it takes no offence. */
function isFree(name: string): boolean {
  return VOID_ELEMENTS.has(name) || END_BY_THEMSELVES.includes(name) || name.includes(":");
}
