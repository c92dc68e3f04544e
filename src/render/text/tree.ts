import type { Parser as HtmlParser } from "htmlparser2";
import { halfSections, tagsIn, type TagTable, token } from "../../mustache/tokens.js";

export interface Element {
  /** In lower case. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
}

/** An element, or text with its entities decoded. */
export type Node = Element | string;

/** Of deeper elements, only the text is read: recursion needs a stack. Bodies are less deep, but computed HTML may be anything. */
const DEEPEST = 500;

interface OpenElement extends Element {
  readonly children: Node[];
}

/** Parses HTML as it is nested; unlike a browser, it moves nothing out of tables. Comments are dropped. */
export async function parseHtml(html: string): Promise<Element> {
  const { Parser } = await import("htmlparser2");
  return readHtml(html, Parser);
}

/** The same with the parser's class, which is loaded already. */
export function readHtml(html: string, Parser: typeof HtmlParser): Element {
  const root: OpenElement = { name: "", attributes: {}, children: [] };
  const open: OpenElement[] = [root];
  const parser = new Parser({
    onopentag(name, attributes) {
      const around = open.at(-1) ?? root;
      const element: OpenElement = open.length > DEEPEST ? around : { name, attributes, children: [] };
      if (element !== around) around.children.push(element);
      open.push(element);
    },
    onclosetag() {
      open.pop();
    },
    ontext(text) {
      const children = open.at(-1)?.children ?? [];
      const last = children.at(-1);
      if (typeof last === "string") children[children.length - 1] = last + text;
      else children.push(text);
    },
  });
  parser.end(html);
  return root;
}

/** All text in a node, unchanged. */
export function textIn(node: Node): string {
  return typeof node === "string" ? node : node.children.map(textIn).join("");
}

/** The first matching descendant, in document order. */
export function findElement(node: Element, fits: (element: Element) => boolean): Element | undefined {
  for (const child of node.children) {
    if (typeof child === "string") continue;
    const match = fits(child) ? child : findElement(child, fits);
    if (match) return match;
  }
  return undefined;
}

export function isBlank(node: Node): boolean {
  return typeof node === "string" && node.trim() === "";
}

type Style = ReadonlyMap<string, string>;

const NONE: Style = new Map();
const read = new WeakMap<Element["attributes"], Style>();

/** An element's inline style: lower-case values by property; of repeated properties, the last counts. */
export function styleOf(element: Element): Style {
  const { style } = element.attributes;
  if (!style) return NONE;
  let declarations = read.get(element.attributes);
  if (!declarations) {
    declarations = declarationsIn(style.toLowerCase());
    read.set(element.attributes, declarations);
  }
  return declarations;
}

function declarationsIn(style: string): Style {
  const declarations = new Map<string, string>();
  for (const declaration of style.split(";")) {
    const colon = declaration.indexOf(":");
    if (colon < 0) continue;
    const value = declaration.slice(colon + 1).trim();
    const [bare = ""] = value.endsWith("important") ? value.split(/\s*!/) : [value];
    declarations.set(declaration.slice(0, colon).trim(), bare);
  }
  return declarations;
}

export function displayOf(element: Element): string {
  return styleOf(element).get("display") ?? "";
}

/** How line ends and spaces are treated: all collapse to one space, only line ends are kept, or everything is kept. */
export type WhiteSpace = "collapsed" | "lines" | "kept";

const WHITE_SPACE: ReadonlyMap<string, WhiteSpace> = new Map([
  ["normal", "collapsed"],
  ["nowrap", "collapsed"],
  ["pre-line", "lines"],
  ["pre", "kept"],
  ["pre-wrap", "kept"],
  ["break-spaces", "kept"],
]);

/** Undefined if an element inherits it. */
export function whiteSpaceOf(element: Element): WhiteSpace | undefined {
  const written = WHITE_SPACE.get(styleOf(element).get("white-space") ?? "");
  return written ?? (element.name === "pre" ? "kept" : undefined);
}

export function isZero(value: string | undefined): boolean {
  return value !== undefined && /^0*\.?0+(?:[a-z]+|%)?$/.test(value);
}

/** Pixels that look like a blank line. */
const BLANK_LINE = 10;

/** Whether a box has the distance of a blank line above or below; undefined if its style doesn't say. */
export function isApart(element: Element, side: "top" | "bottom"): boolean | undefined {
  const style = styleOf(element);
  const distances = ["margin", "padding"].flatMap((property) => {
    const value = style.get(`${property}-${side}`) ?? sideOf(style.get(property), side);
    return value === undefined ? [] : [{ property, isWide: isWide(value) }];
  });
  if (distances.some((distance) => distance.isWide)) return true;
  return distances.some(({ property }) => property === "margin") ? false : undefined;
}

/** One side of a shorthand such as `0 auto 16px`. */
function sideOf(shorthand: string | undefined, side: "top" | "bottom"): string | undefined {
  const [top, , bottom = top] = shorthand?.split(/\s+/) ?? [];
  return side === "top" ? top : bottom;
}

function isWide(length: string): boolean {
  const value = Number.parseFloat(length);
  return /(?:px|pt|^\d+)$/.test(length) ? value >= BLANK_LINE : value > 0;
}

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
    const inside = tagsIn(textIn(element));
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
