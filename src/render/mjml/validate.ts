import { printsText, type TagTable, TOKEN, tokensIn } from "../../mustache/tokens.js";
import { nearest } from "../../text/nearest.js";
import type { Findings } from "../findings.js";
import type { Attribute } from "../../text/markup/scan.js";
import { chainNote } from "../source/mapped-text.js";
import {
  attributeValue,
  defaultElements,
  elementNames,
  elementsOf,
  hintForElement,
  type MjmlElement,
  positionOf,
} from "./document.js";
import type { IncludeOptions } from "./includes.js";
import type { MjmlComponent, MjmlLibrary } from "./library.js";

/** Attributes that every element accepts. */
const EVERYWHERE: readonly string[] = ["mj-class", "css-class"];
const INSTEAD_OF_TAG_IN: Readonly<Record<string, string>> = {
  "mj-attributes": 'Put it into an attribute\'s value: color="{{#dark}}#fff{{/dark}}{{^dark}}#000{{/dark}}".',
  "mj-carousel": "MJML needs to know the number of images at compile time. Loop over something else, such as columns.",
};
/** Values that MJML supports for attributes whose type allows anything: it ignores all other values. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "mj-style": { inline: ["inline"] },
  "mj-hero": { mode: ["fixed-height", "fluid-height"] },
  "mj-navbar": { hamburger: ["hamburger"] },
};
const EMPTY_CHOICES: readonly string[] = ["", "false", "no", "none"];
/** Elements of mj-attributes that apply to several kinds of elements. */
const FOR_ANY: ReadonlySet<string> = new Set(["mj-all", "mj-class"]);

/** Validates a document against MJML's own rules about elements and attributes, and reports violations. */
export function validateMjml(
  document: MjmlElement,
  library: MjmlLibrary,
  { tags, findings }: Pick<IncludeOptions, "tags" | "findings">,
): void {
  new Validator(document, library, tags, findings).check(document);
}

class Validator {
  readonly #library: MjmlLibrary;
  readonly #tags: TagTable;
  readonly #findings: Findings;
  readonly #classes: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  /** The attributes of a hero that <mj-attributes> sets. */
  readonly #defaults: ReadonlySet<string>;
  /** The attributes of all elements. */
  readonly #attributes: ReadonlySet<string>;
  /** The types of each of these attributes in all elements. */
  readonly #types: ReadonlyMap<string, readonly string[]>;

  constructor(document: MjmlElement, library: MjmlLibrary, tags: TagTable, findings: Findings) {
    this.#library = library;
    this.#tags = tags;
    this.#findings = findings;
    this.#classes = definedClasses(document);
    this.#names = elementNames(library);
    const heroes = defaultElements(document).filter(({ tagName }) => tagName === "mj-hero" || tagName === "mj-all");
    this.#defaults = new Set(heroes.flatMap(({ attributes }) => attributes.map(({ name }) => name)));
    const components = Object.values(library.components);
    const types = new Map<string, string[]>();
    for (const component of components)
      for (const [name, type] of Object.entries(component?.allowedAttributes ?? {}))
        types.set(name, [...(types.get(name) ?? []), type]);
    this.#types = types;
    this.#attributes = new Set(types.keys());
  }

  check(element: MjmlElement): void {
    const component = this.#library.components[element.tagName];
    if (FOR_ANY.has(element.tagName))
      for (const attribute of element.attributes) this.#checkDefault(attribute, element);
    else if (component) for (const attribute of element.attributes) this.#checkAttribute(attribute, element, component);
    if (element.tagName === "mj-hero") this.#checkHero(element);
    for (const child of element.children) {
      if (this.#isKnown(child) && this.#isAllowed(child, element)) this.check(child);
    }
  }

  #isKnown(element: MjmlElement): boolean {
    const { tagName } = element;
    if (this.#names.has(tagName)) return true;
    const message = `MJML has no element <${tagName}>, and drops it with its content`;
    this.#error("mjml-unknown-element", message, element, hintForElement(tagName));
    return false;
  }

  #isAllowed(child: MjmlElement, parent: MjmlElement): boolean {
    const allowed = this.#library.dependencies[parent.tagName];
    if (child.isBareTag && this.#isText(child)) {
      const hint = `Put it into <mj-text>, or into <mj-raw> if it is HTML.`;
      this.#error("mjml-lost-text", `A variable can't be directly inside <${parent.tagName}>`, child, hint);
      return false;
    }
    if (child.isBareTag && (parent.tagName === "mjml" || !allowed?.includes("mj-raw"))) {
      const message = `A Mustache tag can't be directly inside <${parent.tagName}>`;
      this.#error("mjml-lost-text", message, child, INSTEAD_OF_TAG_IN[parent.tagName]);
      return false;
    }
    const { tagName } = child;
    if (!allowed || allowed.some((name) => (typeof name === "string" ? name === tagName : name.test(tagName))))
      return true;
    const places = Object.entries(this.#library.dependencies).filter(([, names]) => names?.includes(tagName));
    const hint = places.length > 0 ? `Put it into ${places.map(([name]) => `<${name}>`).join(" or ")}.` : undefined;
    if (!child.isMistyped)
      this.#error("mjml-structure", `<${tagName}> is not allowed in <${parent.tagName}>`, child, hint);
    return false;
  }

  /** Browsers move text between a column's rows, where it has no font size either; a raw tag may contain a row. */
  #isText({ content }: MjmlElement): boolean {
    return tokensIn(content?.text ?? "").some(({ tag }) => printsText(this.#tags[tag]));
  }

  #checkAttribute(attribute: Attribute, element: MjmlElement, component: MjmlComponent): void {
    const { name, value } = attribute;
    const type = component.allowedAttributes?.[name];
    const hasTag = value.search(TOKEN) >= 0;
    if (name.search(TOKEN) >= 0) {
      const message = `A Mustache tag can't be among the attributes of <${element.tagName}>`;
      this.#error("mjml-attribute-tag", message, element, "Put it into an attribute's value.", attribute.start);
    } else if (type === undefined && !EVERYWHERE.includes(name)) {
      this.#unknownAttribute(attribute, element, component, hasTag);
    } else if (name === "mj-class") {
      this.#checkClasses(attribute, element, hasTag);
    } else if (type !== undefined && !hasTag && !this.#library.isValid(type, value)) {
      const message = `${name}="${value}" of <${element.tagName}> is not a valid value for MJML`;
      this.#warning("mjml-attribute-value", message, element, attribute.start, `The expected type is ${type}.`);
    } else if (!hasTag) {
      this.#checkChoice(attribute, element);
    }
  }

  #checkChoice({ name, value, start }: Attribute, element: MjmlElement): void {
    const choices = CHOICES[element.tagName]?.[name];
    if (!choices || choices.includes(value) || EMPTY_CHOICES.includes(value)) return;
    const message = `${name}="${value}" of <${element.tagName}> is not a value that MJML supports, so MJML ignores it`;
    this.#warning("mjml-attribute-value", message, element, start, `Use ${choices.join(" or ")}.`);
  }

  /** A default for any kind of element must be valid for at least one of them. */
  #checkDefault(attribute: Attribute, element: MjmlElement): void {
    const { name, value, start } = attribute;
    if (name === "name" || name.startsWith("mj-") || EVERYWHERE.includes(name) || name.search(TOKEN) >= 0) return;
    const types = this.#types.get(name);
    if (types === undefined) {
      const near = nearest(name, this.#attributes);
      const message = `No element has an attribute ${name}: MJML ignores it`;
      if (near) this.#error("mjml-unknown-attribute", message, element, `Did you mean ${near}?`, start);
      else this.#warning("mjml-unknown-attribute", message, element, start);
    } else if (value.search(TOKEN) < 0 && types.every((type) => !this.#library.isValid(type, value))) {
      const message = `${name}="${value}" of <${element.tagName}> is not a valid value for any MJML element`;
      this.#warning("mjml-attribute-value", message, element, start, `The expected type is ${types[0]}.`);
    }
  }

  /** MJML computes the height of a fluid hero from the size of its image: without it, the height is NaN. */
  #checkHero(element: MjmlElement): void {
    if (attributeValue(element, "mode") !== "fluid-height" || attributeValue(element, "mj-class") !== undefined) return;
    const missing = ["background-width", "background-height"].filter(
      (name) => attributeValue(element, name) === undefined && !this.#defaults.has(name),
    );
    if (missing.length === 0) return;
    const message = `<mj-hero mode="fluid-height"> needs ${missing.join(" and ")}, because its height depends on the image's size`;
    const hint = `Add ${missing.map((name) => `${name}="${name.endsWith("width") ? 600 : 400}px"`).join(" ")}, with the image's actual size.`;
    this.#error("mjml-attribute-value", message, element, hint);
  }

  #unknownAttribute(attribute: Attribute, element: MjmlElement, component: MjmlComponent, hasTag: boolean): void {
    const { name, start } = attribute;
    const isOfAnother = this.#attributes.has(name);
    const own = [...Object.keys(component.allowedAttributes ?? {}), ...EVERYWHERE];
    const near = isOfAnother ? undefined : nearest(name, own);
    const message = `<${element.tagName}> has no attribute ${name}: MJML ignores it`;
    const hint = near && `Did you mean ${near}?`;
    // A misspelt attribute loses its meaning; other unknown attributes rarely mean anything here.
    if (near || hasTag || name.startsWith("mj-")) this.#error("mjml-unknown-attribute", message, element, hint, start);
    else this.#warning("mjml-unknown-attribute", message, element, start);
  }

  #checkClasses({ value, start }: Attribute, element: MjmlElement, hasTag: boolean): void {
    if (hasTag) {
      const message = "mj-class is resolved when the template is compiled, so it can't contain a Mustache tag";
      this.#error("mjml-attribute-tag", message, element, "Use css-class and <mj-style> instead.", start);
      return;
    }
    for (const name of value.split(/\s+/)) {
      if (name === "" || this.#classes.has(name)) continue;
      const near = nearest(name, this.#classes);
      const message = `No <mj-class name="${name}"> is defined in <mj-attributes>`;
      this.#warning("mjml-attribute-value", message, element, start, near && `Did you mean ${near}?`);
    }
  }

  #error(rule: string, message: string, element: MjmlElement, hint?: string, offset = element.start): void {
    this.#findings.error(rule, `${message}${chainNote(element.source.chain)}.`, positionOf(element, offset), hint);
  }

  #warning(rule: string, message: string, element: MjmlElement, offset: number, hint?: string): void {
    this.#findings.warning(rule, `${message}${chainNote(element.source.chain)}.`, positionOf(element, offset), hint);
  }
}

function definedClasses(element: MjmlElement): Set<string> {
  const own = element.tagName === "mj-class" ? [attributeValue(element, "name") ?? ""] : [];
  return new Set([...own, ...element.children.flatMap((child) => [...definedClasses(child)])]);
}

/** MJML's default width of `<mj-body>`. */
const DEFAULT_WIDTH = 600;
const NARROWEST = 240;
const WIDEST = 1000;
/** In percent: three columns of 33.34% fill a row. */
const ROUNDING = 2;

/** Warns of a body that is wider than any screen, and of columns that together are wider than their row. */
export function checkWidths(document: MjmlElement, findings: Findings): void {
  const elements = elementsOf(document);
  const body = elements.find(({ tagName }) => tagName === "mj-body");
  const width = body && (attributeValue(body, "width") ?? "");
  const pixels = width === undefined ? NaN : pixelsOf(width);
  if (body && (pixels > WIDEST || pixels < NARROWEST)) {
    const message = `The body is ${pixels} pixels wide${chainNote(body.source.chain)}: ${pixels > WIDEST ? "recipients have to scroll sideways" : "there is no room for a line of text"}.`;
    findings.warning("mjml-column-width", message, positionOfWidth(body), "Use 600px, MJML's default.");
    return;
  }
  if (width?.search(TOKEN) !== -1 && width !== undefined) return;
  const defaults = defaultElements(document);
  const hasDefault = defaults.some(
    (element) => /^mj-(?:column|all|group)$/.test(element.tagName) && attributeValue(element, "width") !== undefined,
  );
  if (hasDefault) return;
  for (const element of elements) {
    const whole = pixels || DEFAULT_WIDTH;
    const room = element.tagName === "mj-wrapper" ? widthWithin(element, whole, defaults) : whole;
    const sections = element.tagName === "mj-wrapper" || element.tagName === "mj-body" ? element.children : [];
    for (const section of sections)
      if (section.tagName === "mj-section") checkRow(section, widthWithin(section, room, defaults), findings);
  }
}

/** The width inside an element's padding, as far as it is given in pixels. */
function widthWithin(element: MjmlElement, room: number, defaults: readonly MjmlElement[]): number {
  const defaultElement = ["mj-all", element.tagName]
    .map((name) => defaults.find(({ tagName }) => tagName === name))
    .findLast(Boolean);
  /** Undefined if a class may set it. */
  const valueOf = (name: string): string | undefined => {
    const own = attributeValue(element, name);
    if (own !== undefined || attributeValue(element, "mj-class") !== undefined) return own;
    return defaultElement && attributeValue(defaultElement, name);
  };
  const [top = "", right = top, , left = right] = (valueOf("padding") ?? "").trim().split(/\s+/);
  const sides = [valueOf("padding-left") ?? left, valueOf("padding-right") ?? right];
  return Math.max(NARROWEST, room - sides.reduce((sum, side) => sum + (pixelsOf(side) || 0), 0));
}

/** Checks a section, and then the groups in it. */
function checkRow(row: MjmlElement, room: number, findings: Findings): void {
  const { children, tagName: name } = row;
  // Mustache sections may show any of the columns.
  if (!children.every(({ tagName }) => tagName === "mj-column" || tagName === "mj-group")) return;
  const shares = children.map((column) => shareOf(column, children.length, room));
  for (const [index, child] of children.entries())
    if (child.tagName === "mj-group") checkRow(child, ((shares[index] ?? NaN) / 100) * room, findings);
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (!(total > 100 + ROUNDING) || fillsRows(shares)) return;
  const widest = shares.indexOf(Math.max(...shares.filter((_, index) => hasWidth(children[index]))));
  const column = children[widest];
  if (!column) return;
  const message = `The columns of this <${name}> add up to ${Math.round(total)}% of its width${chainNote(column.source.chain)}: most clients move some of them to the next line, and Outlook makes the email wider.`;
  findings.warning("mjml-column-width", message, positionOfWidth(column), "Let their widths add up to 100%.");
}

/** In percent of the row; NaN if it is set elsewhere. */
function shareOf(column: MjmlElement, columns: number, room: number): number {
  if (attributeValue(column, "mj-class") !== undefined) return NaN;
  const width = attributeValue(column, "width");
  if (width === undefined) return 100 / columns;
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(width.trim())?.[1];
  return percent === undefined ? (pixelsOf(width) / room) * 100 : Number(percent);
}

/** Whether columns fill several rows exactly, as in a grid written in one section. */
function fillsRows(shares: readonly number[]): boolean {
  let row = 0;
  for (const share of shares) {
    if (row + share > 100 + ROUNDING) {
      if (row < 100 - ROUNDING) return false;
      row = 0;
    }
    row += share;
  }
  return Math.abs(row - 100) <= ROUNDING;
}

function hasWidth(column: MjmlElement | undefined): boolean {
  return column !== undefined && attributeValue(column, "width") !== undefined;
}

function pixelsOf(width: string): number {
  return Number(/^(\d+(?:\.\d+)?)px$/.exec(width.trim())?.[1]);
}

function positionOfWidth(element: MjmlElement) {
  return positionOf(element, element.attributes.find(({ name }) => name === "width")?.start);
}
