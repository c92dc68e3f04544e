import { hasSection } from "../../mustache/scan.js";
import { memoizeByObject, memoizeByString } from "../../cache/memoize.js";
import type { SourcePosition } from "../../diagnostic.js";
import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement } from "../document/nodes.js";
import type { Declaration, StyleRule } from "../document/stylesheet.js";
import { applies, ANY, compileSelector, keysOf, type MediaContext, type CompiledSelector } from "./matching.js";
import { readColour } from "./colour.js";

/** The value of a property for an element, from a style attribute, a rule or a presentational attribute. */
export interface CascadedValue {
  /** In lower case, except font names. Unknown if it contains `{{`. */
  readonly value: string;
  /** The at-rules around it, outermost first. */
  readonly within: readonly string[];
  at(): SourcePosition;
}

/** A value that applies to every element with the rule or style attribute. */
interface Candidate extends Omit<CascadedValue, "at"> {
  readonly important?: boolean;
  at(element: EmailElement): SourcePosition;
}

/** An inherited value, and the element that it comes from. */
interface Inherited {
  readonly given: CascadedValue;
  readonly by: EmailElement;
}

/** The values of a rule or a style attribute, by property. */
type Block = ReadonlyMap<string, readonly Candidate[]>;

interface SheetRule {
  readonly selector: CompiledSelector;
  readonly block: Block;
}

/** The rules of all stylesheets of a document. */
interface Sheets {
  /** By the keys of their selectors; `order` increases with specificity. */
  readonly rules: ReadonlyMap<string, readonly (SheetRule & { readonly order: number })[]>;
  /** All properties that they set. */
  readonly properties: readonly string[];
  /** The blocks that apply to each element, as far as they are known. */
  readonly blocks: Map<EmailElement, readonly Block[]>;
}

const sheetsOf = memoizeByObject((document: EmailDocument): Sheets => {
  const all = document.styleRules.flatMap(readRule);
  const properties = [...new Set(all.flatMap(({ block }) => [...block.keys()]))];
  const rules = new Map<string, (SheetRule & { readonly order: number })[]>();
  all.sort((a, b) => a.selector.specificity - b.selector.specificity);
  for (const [order, rule] of all.entries()) {
    const others = rules.get(rule.selector.key) ?? [];
    rules.set(rule.selector.key, others);
    others.push({ ...rule, order });
  }
  return { rules, properties, blocks: new Map() };
});

/**
 * The winning value of a property for an element in a view, from style attributes, stylesheets and presentational attributes:
 * the part of the CSS cascade that emails use. Inheritance is left to the caller.
 */
export function cascadedValue(element: EmailElement, property: string, view: MediaContext): CascadedValue | undefined {
  return withPosition(winnerOf(element, property, view), element);
}

/** The winning value without its position. */
export function cascadedString(element: EmailElement, property: string, view: MediaContext): string | undefined {
  return winnerOf(element, property, view)?.value;
}

/** The value of an inherited property, from the element or its nearest ancestor that sets one. */
export function inheritedValue(element: EmailElement, property: string, view: MediaContext): Inherited | undefined {
  for (const by of [element, ...element.ancestors]) {
    const given = cascadedValue(by, property, view);
    if (given && given.value !== "inherit") return { given, by };
  }
  return undefined;
}

/** The value of a rule inside an at-rule that applies in the view but loses to a more important one. */
export function overriddenValue(element: EmailElement, property: string, view: MediaContext) {
  const winner = winnerOf(element, property, view);
  const all = blocksOf(element).flatMap((block) => block.get(property) ?? []);
  const lost = all.findLast((each) => each !== winner && each.within.length > 0 && applies(each.within, view));
  return withPosition(lost, element);
}

function winnerOf(element: EmailElement, property: string, view: MediaContext): Candidate | undefined {
  let best: Candidate | undefined = presentationOf(element, property);
  for (const block of blocksOf(element))
    for (const candidate of block.get(property) ?? NONE)
      if (
        (candidate.important || !best?.important) &&
        (candidate.within.length === 0 || applies(candidate.within, view))
      )
        best = candidate;
  return best;
}

/** The blocks that apply to an element, the strongest last. */
function blocksOf(element: EmailElement): readonly Block[] {
  const sheets = sheetsOf(element.document);
  let blocks = sheets.blocks.get(element);
  if (!blocks) sheets.blocks.set(element, (blocks = findBlocks(element, sheets)));
  return blocks;
}

function findBlocks(element: EmailElement, { rules, properties }: Sheets): Block[] {
  const matching = keysOf(element).flatMap(
    (key) => rules.get(key)?.filter(({ selector }) => selector.matches(element)) ?? [],
  );
  const blocks = matching.toSorted((a, b) => a.order - b.order).map(({ block }) => block);
  // If tags fill in its classes, any rule may apply.
  if (["class", "id"].some((name) => element.attribute(name)?.includes("{{"))) blocks.push(unknownBlock(properties));
  const style = element.attribute("style");
  if (style !== undefined) blocks.push(inlineBlock(style, element));
  return blocks;
}

const NONE: readonly Candidate[] = [];

function withPosition(candidate: Candidate | undefined, element: EmailElement): CascadedValue | undefined {
  return candidate && { value: candidate.value, within: candidate.within, at: () => candidate.at(element) };
}

function readRule({ selectors, declarations, within, element }: StyleRule): SheetRule[] {
  const media = element.attribute("media");
  const around = media === undefined ? within : [`@media ${media}`, ...within];
  const block = blockOf(declarations, around);
  if (block.size === 0) return [];
  return selectors.flatMap((written): SheetRule[] => {
    if (written.includes("{{")) {
      const selector = { matches: () => true, specificity: 0, key: ANY };
      return [{ selector, block: blockOf(declarations, around, UNKNOWN) }];
    }
    const selector = compileSelector(written);
    return selector ? [{ selector, block }] : [];
  });
}

/** @param unknown Replaces all values if the elements that the block applies to are unknown. */
function blockOf(
  declarations: readonly (Omit<Declaration, "at"> & Pick<Candidate, "at">)[],
  within: readonly string[] = [],
  unknown?: string,
): Block {
  const block = new Map<string, Candidate[]>();
  for (const declaration of declarations) {
    const { important } = declaration;
    for (const [property, longhand] of longhandsOf(declaration)) {
      const given = {
        value: unknown ?? longhand,
        within,
        important,
        at: (element: EmailElement) => declaration.at(element),
      };
      const others = block.get(property);
      if (others) others.push(given);
      else block.set(property, [given]);
    }
  }
  return block;
}

/** Emails repeat a small number of style attributes. */
const inlineBlock = memoizeByString(10_000, (_style, element: EmailElement): Block => {
  if (hasTagsOutsideValues(element)) return unknownBlock(INLINE_PROPERTIES);
  // The element is a parameter so that the cache does not retain documents.
  return blockOf(
    element.style.map(({ property, value, important }) => ({
      property,
      value,
      important,
      at: (each) => each.atStyle(property),
    })),
  );
});

/** Values that a Mustache tag decides. */
function unknownBlock(properties: readonly string[]): Block {
  const candidate: Candidate = { value: UNKNOWN, within: [], at: (element) => element.at() };
  return new Map(properties.map((property) => [property, [candidate]]));
}

/** Whether a style attribute has tags outside its values. */
function hasTagsOutsideValues({ attributes, style }: EmailElement): boolean {
  const written = attributes.get("style");
  if (!written?.includes("{{")) return false;
  const inValues = style.reduce((sum, { value }) => sum + countTags(value), 0);
  return hasSection(written) || inValues < countTags(written);
}

function countTags(text: string): number {
  return text.split("{{").length - 1;
}

/** The properties that such a style attribute may set. */
const INLINE_PROPERTIES =
  "color background-color background-image font-family font-size font-weight line-height display width max-width".split(
    " ",
  );

/** Values of longhand properties. */
type Longhands = readonly (readonly [property: string, value: string])[];

/** The value of a property that is only known when the template is rendered. It has a tag, like other unknown values. */
export const UNKNOWN = "{{}}";

/** The values that a declaration sets for the properties that rules need. */
function longhandsOf({ property, value: written }: Pick<Declaration, "property" | "value">): Longhands {
  const value = written.toLowerCase();
  switch (property) {
    case "background":
      return backgroundParts(value);
    case "font":
      return fontParts(value);
    case "padding":
      return paddingParts(value);
    case "font-family":
      return [[property, written]];
    default:
      return PROPERTIES.has(property) ? [[property, value]] : [];
  }
}

const PROPERTIES: ReadonlySet<string> = new Set(
  [
    "color background-color background-image -webkit-text-fill-color mix-blend-mode opacity",
    "font-size font-weight line-height",
    "display visibility overflow position margin margin-top margin-left",
    "width min-width max-width height max-height padding-top padding-bottom border border-width border-top",
  ].flatMap((names) => names.split(" ")),
);

function backgroundParts(value: string): Longhands {
  if (value.includes("{{") || /^(?:inherit|unset|revert|var\()/.test(value)) {
    return [
      ["background-color", value],
      ["background-image", value],
    ];
  }
  const image = IMAGE.test(value) ? value : "none";
  const words = value.replaceAll(IMAGES, " ").match(/[a-z#][\w#-]*(?:\([^)]*\))?/g) ?? [];
  const colour = words.find((word) => readColour(word) !== undefined);
  return [
    ["background-color", colour ?? "transparent"],
    ["background-image", image],
  ];
}

const IMAGE = /\b(?:url|[a-z-]*gradient|image-set)\(/;
const IMAGES = /\b(?:url|[a-z-]*gradient|image-set)\((?:[^()]|\([^()]*\))*\)/g;

function fontParts(value: string): Longhands {
  const [, size, height = "normal", family = UNKNOWN] =
    /(?:^|\s)(\d*\.?\d+(?:px|pt|em|rem|%))(?:\s*\/\s*(\S+))?\s+(.*)/.exec(value) ?? [];
  const [weight = "normal"] = /\b(?:bold|bolder|[1-9]00)\b/.exec(value) ?? [];
  return [
    ["font-family", family],
    ["font-size", size ?? UNKNOWN],
    ["line-height", height],
    ["font-weight", weight],
  ];
}

function paddingParts(value: string): Longhands {
  const parts = value.split(/\s+/);
  const [top = ""] = parts;
  return [
    ["padding-top", top],
    ["padding-bottom", parts[2] ?? top],
  ];
}

/** The value that a presentational attribute sets. Any rule of a stylesheet overrides it. */
function presentationOf(element: EmailElement, property: string): CascadedValue | undefined {
  const attribute = attributeOf(element.name, property);
  const value = attribute && element.attribute(attribute);
  if (!attribute || !value) return undefined;
  const normalized = value.includes("{{") ? value : readAttribute(property, value.trim().toLowerCase());
  return { value: normalized, within: [], at: () => element.at(attribute) };
}

function attributeOf(element: string, property: string): string | undefined {
  switch (property) {
    case "background-color":
      return COLOURED.has(element) ? "bgcolor" : undefined;
    case "background-image":
      return COLOURED.has(element) ? "background" : undefined;
    case "color":
      return element === "body" ? "text" : element === "font" ? "color" : undefined;
    case "width":
    case "height":
      return SIZED.has(element) ? property : undefined;
    default:
      return undefined;
  }
}

const COLOURED: ReadonlySet<string> = new Set(["body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"]);
const SIZED: ReadonlySet<string> = new Set(["table", "td", "th", "img"]);

/** Attributes may leave out the unit of a length, and the `#` of a colour. */
function readAttribute(property: string, value: string): string {
  if (property === "background-image") return `url(${value})`;
  if (property === "width" || property === "height") return /^\d+$/.test(value) ? `${value}px` : value;
  return /^[\da-f]{6}$/.test(value) ? `#${value}` : value;
}
