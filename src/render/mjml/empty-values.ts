import { tagName, type TagTable, token } from "../../mustache/tokens.js";
import { merge, unitsOf } from "../merge-cases.js";

/*
 * MJML may build an element differently if an attribute is empty. If its value is a single tag, both versions are rendered,
 * and marked until Mustache sections replace the marks.
 */

/** Marks what to print if a tag is not empty, and what if it is. */
function markCases(tag: number, filled: string, empty: string): string {
  return `${mark("f", tag)}${filled}${mark("e", tag)}${empty}${mark("x", tag)}`;
}

/** Marks a tag for which MJML would print something else if it is empty, but which can't get two versions. */
function markUnplaced(tag: number): string {
  return mark("u", tag);
}

function mark(kind: string, tag: number): string {
  return `\uE004${kind}${tag}\uE005`;
}

interface PlacedCases {
  readonly html: string;
  /** Tags printed as if they were never empty, although MJML distinguishes that case. */
  readonly unplaced: ReadonlySet<number>;
}

/** The HTML for filled tags only. */
export function filledCases(html: string): string {
  return new CaseReader(html, () => undefined).read();
}

/**
 * Replaces marks with sections, and adds their tags to the table.
 *
 * @param mayPrintNothing Whether a tag, given by its number, may be empty. Other tags need no sections.
 */
export function placeCases(html: string, tags: TagTable, mayPrintNothing: (tag: number) => boolean): PlacedCases {
  const reader = new CaseReader(html, (number) => {
    const tag = tags[number];
    const name = tagName(tag);
    // An item that is not an object has no place for a boolean next to it.
    if (!tag || name === "." || !mayPrintNothing(number)) return undefined;
    const add = (sigil: string, condition = {}) =>
      token(tags.push({ ...tag, ...condition, text: `{{${sigil}${name}}}` }) - 1);
    const condition = { test: { kind: "empty" } } as const;
    return (sigil, content) => (content === "" ? "" : add(sigil, condition) + content + add("/"));
  });
  return { html: reader.read(), unplaced: reader.unplaced };
}

/** Writes a section that tests whether a tag is empty. */
type WriteSection = (sigil: "^" | "#", content: string) => string;

class CaseReader {
  readonly unplaced = new Set<number>();
  readonly #pieces: readonly string[];
  readonly #sectionFor: (tag: number) => WriteSection | undefined;
  #at = 0;

  /** @param sectionFor Undefined for a tag that is assumed to be filled. */
  constructor(html: string, sectionFor: (tag: number) => WriteSection | undefined) {
    this.#pieces = html.includes("\uE004") ? html.split(/\uE004([feux]\d+)\uE005/) : [html];
    this.#sectionFor = sectionFor;
  }

  /** Reads up to the next mark that does not begin a pair. */
  read(): string {
    let written = this.#next();
    while (this.#at < this.#pieces.length) {
      const [kind, tag] = [this.#pieces[this.#at]?.charAt(0), Number(this.#pieces[this.#at]?.slice(1))];
      if (kind === "e" || kind === "x") break;
      this.#at += 1;
      written += kind === "f" ? this.#readCases(tag) : "";
      if (kind === "u") this.unplaced.add(tag);
      written += this.#next();
    }
    return written;
  }

  #readCases(tag: number): string {
    const write = this.#sectionFor(tag);
    const filled = this.read();
    this.#at += 1;
    const empty = this.read();
    this.#at += 1;
    if (write) return write("^", filled) + write("#", empty);
    this.unplaced.add(tag);
    return filled;
  }

  #next(): string {
    this.#at += 1;
    return this.#pieces[this.#at - 1] ?? "";
  }
}

const RANDOM_ID = /mj-carousel-([0-9a-f]{16})-|id="([0-9a-f]{16})" class="mj-menu-checkbox"/g;

/** Replaces the random ids that MJML generates for navbars and carousels with numbers, so that two builds are identical. */
export function stableIds(html: string): string {
  let stable = html;
  for (const [index, id] of randomIds(html).entries())
    stable = stable.replaceAll(id, String(index + 1).padStart(16, "0"));
  return stable;
}

/** Without duplicates, in the order of the HTML. */
function randomIds(html: string): string[] {
  return [...new Set(Array.from(html.matchAll(RANDOM_ID), (match) => match[1] ?? match[2] ?? ""))];
}

/** Maximum number of such values per element, because each doubles what is rendered. */
const MOST = 3;
const ONE_TAG = /^\s*\uE000(\d+)\uE001\s*$/;

/** The parts of an MJML component that print an element. */
export interface Component {
  readonly attributes: Record<string, unknown>;
  props: { readonly index: number; readonly content?: string; readonly children?: readonly unknown[] };
  context: { readonly gap?: unknown; readonly globalData?: { readonly inlineStyle?: readonly string[] } };
  renderChildren(children?: readonly unknown[] | null, options?: ChildOptions): string;
  getChildContext(): object;
  render(): string;
}

interface ChildOptions {
  readonly attributes?: object;
  readonly renderer?: unknown;
}

type Render = (component: Component) => string;

/**
 * Prints an element. If MJML would build it differently for an empty value, and the value is a single tag, both versions are
 * printed, with marks.
 */
export function printCases(component: Component, render: Render): string {
  const values = taggedValues(component);
  return values.length === 0 ? render(component) : new Cases(component, render).print(values);
}

/** An attribute or content that consists of one tag. */
interface TaggedValue {
  readonly tag: number;
  /** Clears the value, and returns a function that restores it. */
  readonly clear: () => () => void;
}

function taggedValues(component: Component): TaggedValue[] {
  const { attributes, props } = component;
  const values: TaggedValue[] = [];
  for (const [name, value] of Object.entries(attributes)) {
    const tag = tagOf(value);
    // MJML's suffixes for an empty class are insignificant (`class-suffixes.ts`).
    if (tag === undefined || name === "css-class") continue;
    const clear = () => {
      attributes[name] = "";
      return () => (attributes[name] = value);
    };
    values.push({ tag, clear });
  }
  const tag = tagOf(props.content);
  if (tag === undefined || !isSocialElement(component)) return values;
  const clear = () => {
    component.props = { ...props, content: "" };
    return () => (component.props = props);
  };
  return [...values, { tag, clear }];
}

/** MJML omits the text cell of this element if it is empty; other elements print any content. */
function isSocialElement({ constructor }: Component): boolean {
  return Reflect.get(constructor, "componentName") === "mj-social-element";
}

function tagOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.includes("\uE000") ? ONE_TAG.exec(value)?.[1] : undefined;
  return number === undefined ? undefined : Number(number);
}

/** The cases of one element. Placeholders replace what is the same in all of them: its children, and nested cases. */
class Cases {
  readonly #component: Component;
  readonly #render: Render;
  readonly #texts: string[] = [];
  readonly #children = new Map<string, string>();
  #ids: readonly string[] | undefined;

  constructor(component: Component, render: Render) {
    this.#component = component;
    this.#render = render;
  }

  print(values: readonly TaggedValue[]): string {
    const filled = this.#printCase([]);
    const decisive = values.filter(
      (value) => this.#comparable(this.#printCase([value])) !== this.#comparable(filled, value),
    );
    if (decisive.length === 0) return this.#expanded(filled);
    const unplaced = new Set(decisive.slice(MOST));
    const merged = this.#expanded(this.#merge(decisive.slice(0, MOST), [], unplaced).join(""));
    return [...unplaced].reduce((text, { tag }) => text.replace(token(tag), token(tag) + markUnplaced(tag)), merged);
  }

  /** Prints the element with some values empty. */
  #printCase(empty: readonly TaggedValue[]): string {
    const component = this.#component;
    const print = component.renderChildren.bind(component);
    const restore = empty.map(({ clear }) => clear());
    component.renderChildren = (children, options) => this.#printChildren(print, children, options);
    try {
      return this.#withoutMarks(this.#withSameIds(this.#render(component)));
    } finally {
      Reflect.deleteProperty(component, "renderChildren");
      for (const each of restore) each();
    }
  }

  #withSameIds(html: string): string {
    const ids = randomIds(html);
    this.#ids ??= ids;
    return ids.reduce((text, id, index) => text.replaceAll(id, this.#ids?.[index] ?? id), html);
  }

  /** Replaces nested cases with placeholders. */
  #withoutMarks(html: string): string {
    if (!html.includes("\uE004")) return html;
    const shorter = html.replaceAll(CASES, (cases) => this.#placeholder(cases));
    return shorter === html ? html : this.#withoutMarks(shorter);
  }

  #printChildren(
    print: Component["renderChildren"],
    children: readonly unknown[] | null | undefined,
    options: ChildOptions = {},
  ): string {
    // Children that receive attributes from their parent are treated as a part of it.
    if (options.attributes) return print(children, options);
    const childContext = Object.entries(this.#component.getChildContext()).filter(
      ([, value]) => typeof value === "string",
    );
    const key = JSON.stringify([String(options.renderer), childContext, children?.length]);
    const known = this.#children.get(key) ?? this.#placeholder(print(children, options));
    this.#children.set(key, known);
    return known;
  }

  #merge(values: readonly TaggedValue[], empty: readonly TaggedValue[], unplaced: Set<TaggedValue>): string[] {
    const [value, ...others] = values;
    if (!value) return unitsOf(this.#printCase(empty));
    const filled = this.#merge(others, empty, unplaced);
    const filledByEmpty = new Map(filled.map((unit) => [this.#comparable(unit, value), unit]));
    // A tag that prints nothing makes no difference.
    const cleared = this.#merge(others, [...empty, value], unplaced).map(
      (unit) => filledByEmpty.get(this.#comparable(unit)) ?? unit,
    );
    const merged = merge(filled, cleared, (yes, no) => {
      if (this.#comparable(yes, value) === this.#comparable(no)) return yes;
      if ([yes, no].some((text) => this.#holdsChildren(text) || this.#isInlined(text))) unplaced.add(value);
      return this.#placeholder(markCases(value.tag, yes, no));
    });
    if (!merged) unplaced.add(value);
    return merged && !unplaced.has(value) ? merged : filled;
  }

  #holdsChildren(text: string): boolean {
    const children = new Set(this.#children.values());
    return (text.match(PLACEHOLDER) ?? []).some((each) => children.has(each) && this.#expanded(each) !== "");
  }

  /** Whether the inliner would split the text: it parses the content of a `style` attribute as declarations. */
  #isInlined(text: string): boolean {
    const { inlineStyle = [] } = this.#component.context.globalData ?? {};
    return inlineStyle.length > 0 && text.includes(";") && !text.includes("<");
  }

  /** Without the tag of a value, and without empty attributes. */
  #comparable(text: string, value?: TaggedValue): string {
    const children = new Set(this.#children.values());
    const withCases = (each: string, number: string) =>
      children.has(each) ? each : this.#comparable(this.#texts[Number(number)] ?? "", value);
    const html = this.#texts.length > 0 ? text.replaceAll(PLACEHOLDER, withCases) : text;
    const cleared = value ? html.replaceAll(token(value.tag), "") : html;
    return cleared.replaceAll(/ [\w:-]+=""/g, "");
  }

  /** Returns the same placeholder for the same text. */
  #placeholder(text: string): string {
    const known = this.#texts.indexOf(text);
    return `\uE002${known >= 0 ? known : this.#texts.push(text) - 1}\uE003`;
  }

  #expanded(text: string): string {
    return text.replaceAll(PLACEHOLDER, (_whole, number: string) => this.#expanded(this.#texts[Number(number)] ?? ""));
  }
}

/** The innermost marks. */
const CASES = /\uE004f(\d+)\uE005(?:[^\uE004]|\uE004u)*\uE004e\1\uE005(?:[^\uE004]|\uE004u)*\uE004x\1\uE005/g;
const PLACEHOLDER = /\uE002(\d+)\uE003/g;
