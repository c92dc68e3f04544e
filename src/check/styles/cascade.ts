import type { SourcePosition } from "../../diagnostic.js";
import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement } from "../document/nodes.js";
import type { Declaration, StyleRule } from "../document/stylesheet.js";
import { longhandsOf, presentationOf, UNKNOWN } from "./longhands.js";
import { applies, type View } from "./media.js";
import { ANY, compileSelector, type CompiledSelector, keysOf } from "./selectors.js";

/** What an element is given for a property, by a style attribute, a rule or an attribute of its own. */
export interface Given {
  /** In lower case, but for names of fonts. Where it holds `{{`, it is not known. */
  readonly value: string;
  /** The at-rules around it, outermost first. */
  readonly within: readonly string[];
  readonly important?: boolean;
  at(): SourcePosition;
}

/** What an element inherits, and the element that has it from no other. */
export interface Inherited {
  readonly given: Given;
  readonly by: EmailElement;
}

/** What a rule or a style attribute says, by properties. */
type Block = ReadonlyMap<string, readonly Given[]>;

interface SheetRule {
  readonly selector: CompiledSelector;
  readonly block: Block;
}

/**
 * What the style attributes, the style elements and the attributes of a document give its elements: the part of CSS's
 * cascade that emails use.
 *
 * @example
 * const cascade = cascadeOf(document);
 * cascade.given(element, "color", LIGHT)?.value; // "#333333"
 */
export class Cascade {
  readonly document: EmailDocument;
  /** From the weakest to the strongest, with their places in that order, by the keys of their selectors. */
  readonly #rules = new Map<string, (SheetRule & { readonly order: number })[]>();
  readonly #blocks = new Map<EmailElement, readonly Block[]>();
  /** What the stylesheets say anything of. */
  readonly #properties: readonly string[];

  constructor(document: EmailDocument) {
    this.document = document;
    const rules = document.styleRules.flatMap(readRule);
    this.#properties = [...new Set(rules.flatMap(({ block }) => [...block.keys()]))];
    rules.sort((a, b) => a.selector.specificity - b.selector.specificity);
    for (const [order, rule] of rules.entries()) {
      const { key } = rule.selector;
      this.#rules.set(key, [...(this.#rules.get(key) ?? []), { ...rule, order }]);
    }
  }

  /** The winning value of a property for an element, in a view; inheritance is left to the caller. */
  given(element: EmailElement, property: string, view: View): Given | undefined {
    let best: Given | undefined = presentationOf(element, property);
    for (const block of this.#blocksOf(element))
      for (const given of block.get(property) ?? [])
        if ((given.important || !best?.important) && applies(given.within, view)) best = given;
    return best;
  }

  /** The same, where it does not matter what made it so. */
  value(element: EmailElement, property: string, view: View): string | undefined {
    return this.given(element, property, view)?.value;
  }

  /** The value that an inherited property has from an element or from the nearest around it that has one of its own. */
  inherited(element: EmailElement, property: string, view: View): Inherited | undefined {
    for (const by of [element, ...element.ancestors]) {
      const given = this.given(by, property, view);
      if (given && given.value !== "inherit") return { given, by };
    }
    return undefined;
  }

  /** What a rule gives an element in a view, and does not count, as something else is more important. */
  lost(element: EmailElement, property: string, view: View): Given | undefined {
    const winner = this.given(element, property, view);
    const all = this.#blocksOf(element).flatMap((block) => block.get(property) ?? []);
    return all.findLast((each) => each !== winner && each.within.length > 0 && applies(each.within, view));
  }

  /** What rules and its style attribute say of an element, the strongest last. */
  #blocksOf(element: EmailElement): readonly Block[] {
    let blocks = this.#blocks.get(element);
    if (!blocks) this.#blocks.set(element, (blocks = this.#findBlocks(element)));
    return blocks;
  }

  #findBlocks(element: EmailElement): Block[] {
    const rules = keysOf(element).flatMap((key) => this.#rules.get(key) ?? []);
    const matching = rules.filter(({ selector }) => selector.matches(element)).toSorted((a, b) => a.order - b.order);
    const blocks = matching.map(({ block }) => block);
    // Any rule may be one for an element whose classes are filled in.
    if (["class", "id"].some((name) => element.attribute(name)?.includes("{{")))
      blocks.push(unknownBlock(this.#properties, element));
    if (element.attributes.has("style"))
      blocks.push(isFilledIn(element) ? unknownBlock(INLINE, element) : blockOf(element.style));
    return blocks;
  }
}

const cascades = new WeakMap<EmailDocument, Cascade>();

/** One for each document: several rules ask. */
export function cascadeOf(document: EmailDocument): Cascade {
  const cascade = cascades.get(document) ?? new Cascade(document);
  cascades.set(document, cascade);
  return cascade;
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

/** @param unknown The value of all, where it is not known which elements it is for. */
function blockOf(declarations: readonly Declaration[], within: readonly string[] = [], unknown?: string): Block {
  const block = new Map<string, Given[]>();
  for (const declaration of declarations) {
    const { important } = declaration;
    for (const [property, longhand] of longhandsOf(declaration)) {
      const given = { value: unknown ?? longhand, within, important, at: () => declaration.at() };
      const others = block.get(property);
      if (others) others.push(given);
      else block.set(property, [given]);
    }
  }
  return block;
}

/** What a tag decides. */
function unknownBlock(properties: readonly string[], element: EmailElement): Block {
  const given: Given = { value: UNKNOWN, within: [], at: () => element.at() };
  return new Map(properties.map((property) => [property, [given]]));
}

/** Whether a style attribute has tags that stand for more than values. */
function isFilledIn({ attributes, style }: EmailElement): boolean {
  const written = attributes.get("style");
  if (!written?.includes("{{")) return false;
  const inValues = style.reduce((sum, { value }) => sum + countTags(value), 0);
  return /\{\{\s*[#^]/.test(written) || inValues < countTags(written);
}

function countTags(text: string): number {
  return text.split("{{").length - 1;
}

/** What is then not known of the element itself. */
const INLINE =
  "color background-color background-image font-family font-size font-weight line-height display width max-width".split(
    " ",
  );
