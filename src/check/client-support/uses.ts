import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement } from "../document/nodes.js";
import type { Declaration } from "../document/stylesheet.js";
import type { Feature } from "./data.js";
import { featuresOfAtRule } from "./features/at-rules.js";
import { featuresOfDeclaration } from "./features/declarations.js";
import { featuresOfElement } from "./features/elements.js";
import { nestedSelectors } from "./features/nesting.js";
import { featuresOfSelector } from "./features/selectors.js";
import type { Use } from "./use.js";

/** Every use of the features that matter, in the order of the document. */
export function* usesIn(document: EmailDocument, matters: (feature: Feature) => boolean): Generator<Use> {
  const declared = declaredThatMatter(matters);
  const hasTarget = anchorsOf(document);
  for (const element of document.elements) {
    for (const { feature, attribute } of featuresOfElement(element.name, element.attributes)) {
      if (!matters(feature) || (feature === "html-anchor-links" && !hasTarget(element.attribute("href")))) continue;
      const value = attribute === undefined ? undefined : element.attribute(attribute);
      const by: Use["by"] =
        attribute === undefined ? { kind: "element" } : { kind: "attribute", name: attribute, value: value ?? "" };
      // A client that knows neither takes the picture of the `img`.
      yield { feature, element, by, hasFallback: element.name === "source" };
    }
    const style = element.attribute("style");
    if (style && declared.mayMatter(style, element)) yield* usesOf(element.style, element);
    if (element.name === "style") yield* nestings(element);
  }
  for (const { selectors, declarations, within, element } of document.styleRules) {
    const general = selectors.filter((selector) => !isHook(selector));
    if (general.length === 0) continue;
    const around = within.flatMap(featuresAround);
    const selector = general.join(", ");
    const own = featuresOfSelector(selector);
    for (const feature of own) {
      if (matters(feature)) yield { feature, element, by: { kind: "selector", selector }, requires: around };
    }
    yield* usesOf(declarations, element, general.length === 1 ? [...around, ...own] : around);
  }
  for (const { name, prelude, element } of document.atRules) {
    for (const feature of featuresOfAtRule(name, prelude)) {
      if (matters(feature)) yield { feature, element, by: { kind: "at-rule", name, prelude } };
    }
  }

  function* usesOf(
    declarations: readonly Declaration[],
    element: EmailElement,
    requires: readonly Feature[] = [],
  ): Generator<Use> {
    for (const [index, declaration] of declarations.entries()) {
      const { property, value } = declaration;
      for (const feature of declared.of(declaration)) {
        if (property !== "display" && isNone(declarations)) continue;
        const by = { kind: "declaration", property, value } as const;
        yield { feature, element, by, requires, hasFallback: hasFallback(feature, declarations, index, element) };
      }
    }
  }

  function* nestings(element: EmailElement): Generator<Use> {
    if (!matters("css-nesting")) return;
    for (const selector of nestedSelectors(element.text)) {
      yield { feature: "css-nesting", element, by: { kind: "nesting", selector } };
    }
  }
}

/**
 * Selectors that reach one client alone, on purpose: links that Apple and Gmail make, dark Outlook, what Gmail, Yahoo!
 * and Outlook.com put around a mail. https://howtotarget.email lists them.
 */
const HOOKS =
  /x-apple-data-detectors|\[data-og[a-z]{2}\]|\[owa\]|^u \+|\bu ?\+ ?[.#]|\.ii\b|#MessageViewBody|\.ExternalClass|#outlook\b|\.moz-text-html|\.yshortcuts|\.ReadMsgBody|\[class~="?x_|\.gmail-fix|#msgBody|\.aBn\b|\.a6S\b|\.a5q\b|\.im\b/i;

function isHook(selector: string): boolean {
  return HOOKS.test(selector);
}

/** What the text of an at-rule around others, `@media print`, asks for. */
function featuresAround(written: string): Feature[] {
  const [, name = "", prelude = ""] = /^@([\w-]+)\s*([^]*)$/.exec(written) ?? [];
  return featuresOfAtRule(name.toLowerCase(), prelude);
}

/** Where a client drops a declaration, an earlier one of the property holds; behind a picture there can be a colour. */
function hasFallback(
  feature: Feature,
  declarations: readonly Declaration[],
  index: number,
  element: EmailElement,
): boolean {
  const { property = "" } = declarations[index] ?? {};
  const isPicture = property.startsWith("background") && /^image-|-gradient$|^css-background/.test(feature);
  if (isPicture && element.attributes.has("bgcolor")) return true;
  return declarations.some(
    (other, place) =>
      (place < index && other.property === property && other.value !== declarations[index]?.value) ||
      (isPicture && other.property === "background-color"),
  );
}

/** Whether a link leads to something in the document: `#` and its like are placeholders. */
function anchorsOf({ elements }: EmailDocument): (href: string | undefined) => boolean {
  let names: Set<string | undefined> | undefined;
  return (href = "") => {
    names ??= new Set(elements.flatMap((element) => [element.attribute("id"), element.attribute("name")]));
    return names.has(href.slice(1));
  };
}

/** What isn't shown, as a preheader, is told so in several ways, for each client one that it knows. */
function isNone(declarations: readonly Declaration[]): boolean {
  return declarations.some(({ property, value }) => property === "display" && value.trim().toLowerCase() === "none");
}

/** The features of declarations that matter. Compiled html says the same again and again, in all documents. */
class DeclaredFeatures {
  readonly #matters: (feature: Feature) => boolean;
  readonly #known = new Map<string, readonly Feature[]>();
  /** Style attributes without any, as most are. */
  readonly #quiet = new Set<string>();

  constructor(matters: (feature: Feature) => boolean) {
    this.#matters = matters;
  }

  of({ property, value, important }: Declaration): readonly Feature[] {
    const key = `${property}:${value}${important ? "!" : ""}`;
    let features = this.#known.get(key);
    if (!features) {
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#known.set(key, (features = featuresOfDeclaration(property, value, important).filter(this.#matters)));
    }
    return features;
  }

  mayMatter(style: string, element: EmailElement): boolean {
    if (this.#quiet.has(style)) return false;
    if (element.style.some((declaration) => this.of(declaration).length > 0)) return true;
    if (this.#quiet.size >= MOST_KNOWN) this.#quiet.clear();
    this.#quiet.add(style);
    return false;
  }
}

const MOST_KNOWN = 10_000;
const declaredFeatures = new WeakMap<(feature: Feature) => boolean, DeclaredFeatures>();

function declaredThatMatter(matters: (feature: Feature) => boolean): DeclaredFeatures {
  const declared = declaredFeatures.get(matters) ?? new DeclaredFeatures(matters);
  declaredFeatures.set(matters, declared);
  return declared;
}
