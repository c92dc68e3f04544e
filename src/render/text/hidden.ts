import { halfSections, type TagTable, token, tokensIn } from "../../mustache/tokens.js";
import { isZero, styleOf } from "./style.js";
import { type Element, textIn } from "./tree.js";

/** Elements that email clients don't show as text. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set("head link meta script style template textarea title".split(" "));

/** Removes elements that recipients don't see, or that are marked to be omitted from the text. */
export class Hidden {
  /** The numbers of the tags in the removed elements. */
  readonly tags = new Set<number>();
  /** Tags in the removed elements whose section begins or ends outside them. */
  readonly halves = new Set<number>();
  readonly #table: TagTable;
  readonly #classes: ReadonlySet<string>;

  constructor(document: Element, table: TagTable) {
    this.#table = table;
    this.#classes = hiddenClasses(stylesIn(document));
  }

  /** The element without the hidden ones, whose tags are recorded. */
  shown(element: Element): Element {
    const children = element.children.map((child) => {
      if (typeof child === "string") return child;
      return WITHOUT_TEXT.has(child.name) || this.#isHidden(child) ? this.#leaveOut(child) : this.shown(child);
    });
    const isSame = children.every((child, index) => child === element.children[index]);
    return isSame ? element : { ...element, children };
  }

  /** Keeps the tags of sections that begin or end outside, because they affect what is shown there. */
  #leaveOut(element: Element): string {
    const inside = tokensIn(textIn(element)).map(({ tag }) => tag);
    const halves = halfSections(inside, this.#table);
    for (const tag of inside) (halves.includes(tag) ? this.halves : this.tags).add(tag);
    return halves.map(token).join("");
  }

  #isHidden(element: Element): boolean {
    const { class: classes = "", hidden, "data-skip-in-text": skip = "false" } = element.attributes;
    if (hidden !== undefined || skip !== "false" || isHiddenByStyle(element)) return true;
    if (classes === "") return false;
    return (
      /preheader/i.test(classes) ||
      (!styleOf(element).has("display") && classes.split(/\s+/).some((name) => this.#classes.has(name)))
    );
  }
}

// Not `mso-hide: all`, which only hides from Outlook what others show, such as a button next to its VML.
function isHiddenByStyle(element: Element): boolean {
  const style = styleOf(element);
  if (style.size === 0) return false;
  return (
    style.get("display") === "none" ||
    style.get("visibility") === "hidden" ||
    isZero(style.get("opacity")) ||
    isZero(style.get("max-height")) ||
    (isZero(style.get("height")) && style.get("overflow") === "hidden") ||
    (isZero(style.get("font-size")) && isUnstyled(element))
  );
}

/** Whether nothing in an element can have its own font size: a font size of 0 also serves to close gaps in layouts. */
function isUnstyled({ children }: Element): boolean {
  return children.every((child) => {
    if (typeof child === "string") return true;
    const { style, class: classes } = child.attributes;
    return style === undefined && classes === undefined && child.name !== "font" && isUnstyled(child);
  });
}

function stylesIn(element: Element): string {
  if (element.name === "style") return textIn(element);
  return element.children.map((child) => (typeof child === "string" ? "" : stylesIn(child))).join("\n");
}

const HIDES = /display\s*:\s*none/;

/** The classes that a style sheet hides on every screen. */
function hiddenClasses(css: string): ReadonlySet<string> {
  if (!HIDES.test(css)) return new Set();
  const everywhere = css.replace(/\/\*[^]*?\*\//g, "").replace(/@[\w-]+[^{};]*\{(?:[^{}]|\{[^{}]*\})*\}/g, "");
  const rules = Array.from(everywhere.matchAll(/([^{}]+)\{([^{}]*)\}/g));
  const hiding = rules.filter(([, , declarations = ""]) => HIDES.test(declarations));
  const selectors = hiding.flatMap(([, selector = ""]) => selector.split(","));
  return new Set(selectors.flatMap((selector) => /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1] ?? []));
}
