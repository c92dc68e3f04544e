import { hasComment, readCss } from "../css/read-css.js";
import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement } from "../document/nodes.js";
import type { Declaration } from "../document/stylesheet.js";
import type { Feature } from "./data.js";
import { featuresOfAtRule } from "./features/at-rules.js";
import { featuresOfDeclaration } from "./features/declarations.js";
import { featuresOfElement } from "./features/elements.js";
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
    if (style && matters("css-comments") && hasComment(style))
      yield { feature: "css-comments", element, by: { kind: "attribute", name: "style", value: style } };
    for (const use of style ? declared.inStyle(style, element) : []) yield usedBy(use, element, []);
    if (element.name === "style") yield* inSheet(element, document, matters);
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
    const requires = general.length === 1 ? [...around, ...own] : around;
    for (const use of declared.among(declarations)) yield usedBy(use, element, requires);
  }
  for (const { name, prelude, element } of document.atRules) {
    for (const feature of featuresOfAtRule(name, prelude)) {
      if (matters(feature)) yield { feature, element, by: { kind: "at-rule", name, prelude } };
    }
  }
}

/** The comments in rules of a stylesheet, and the rules in others. */
function* inSheet(
  element: EmailElement,
  document: EmailDocument,
  matters: (feature: Feature) => boolean,
): Generator<Use> {
  const { nested, comments, unclosed = Infinity } = readCss(element.text, "sheet");
  const at = (offset: number) => document.positionWithin(element.text, offset);
  for (const { text, offset } of matters("css-nesting") ? nested : []) {
    // Behind a rule that is never closed, nobody wanted to nest anything.
    if (offset > unclosed) break;
    yield { feature: "css-nesting", element, by: { kind: "nesting", selector: text, at: at(offset) } };
  }
  for (const { text, offset } of matters("css-comments") ? comments : [])
    yield { feature: "css-comments", element, by: { kind: "comment", text, at: at(offset) } };
}

/**
 * Selectors that reach one client alone, on purpose: links that Apple and Gmail make, dark Outlook, what Gmail, Yahoo!
 * and Outlook.com put around a mail, the margin that Android's gives it. https://howtotarget.email lists them.
 */
const HOOKS =
  /x-apple-data-detectors|\[data-og[a-z]{2}\]|\[owa\]|^u \+|\bu ?\+ ?[.#]|\.ii\b|#MessageViewBody|\.ExternalClass|#outlook\b|\.moz-text-html|\.yshortcuts|\.ReadMsgBody|\[class~="?x_|\.gmail-fix|#msgBody|\.aBn\b|\.a6S\b|\.a5q\b|\.im\b|\[style\*=["']?margin: ?16px 0/i;

function isHook(selector: string): boolean {
  return HOOKS.test(selector);
}

/** What the text of an at-rule around others, `@media print`, asks for. */
function featuresAround(written: string): Feature[] {
  const [, name = "", prelude = ""] = /^@([\w-]+)\s*([^]*)$/.exec(written) ?? [];
  return featuresOfAtRule(name.toLowerCase(), prelude);
}

/** A use of a feature by a declaration, whatever element it is about. */
interface DeclaredUse {
  readonly feature: Feature;
  readonly by: Use["by"];
  /** Whether another declaration holds where this one is dropped. */
  readonly hasFallback: boolean;
  /** Whether it is a picture, behind which an element can have a colour. */
  readonly isPicture: boolean;
}

function usedBy(
  { feature, by, hasFallback, isPicture }: DeclaredUse,
  element: EmailElement,
  requires: readonly Feature[],
): Use {
  return {
    feature,
    element,
    by,
    requires,
    hasFallback: hasFallback || (isPicture && element.attributes.has("bgcolor")),
  };
}

/** Where a client drops a declaration, an earlier one of the property holds; behind a picture there can be a colour. */
function isCovered(declarations: readonly Declaration[], index: number, isPicture: boolean): boolean {
  const { property, value } = declarations[index] ?? {};
  return declarations.some(
    (other, place) =>
      (place < index && other.property === property && other.value !== value) ||
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
  /** By style attributes; most have none. */
  readonly #inStyles = new Map<string, readonly DeclaredUse[]>();

  constructor(matters: (feature: Feature) => boolean) {
    this.#matters = matters;
  }

  inStyle(style: string, element: EmailElement): readonly DeclaredUse[] {
    let uses = this.#inStyles.get(style);
    if (!uses) {
      if (this.#inStyles.size >= MOST_KNOWN) this.#inStyles.clear();
      this.#inStyles.set(style, (uses = this.among(element.style)));
    }
    return uses;
  }

  among(declarations: readonly Declaration[]): DeclaredUse[] {
    const uses: DeclaredUse[] = [];
    for (const [index, declaration] of declarations.entries()) {
      const { property, value } = declaration;
      for (const feature of this.#of(declaration)) {
        if (property !== "display" && isNone(declarations)) continue;
        const isPicture = /^background(?!-color)/.test(property) && /^image-|-gradient$|^css-background/.test(feature);
        const by = { kind: "declaration", property, value } as const;
        uses.push({ feature, by, hasFallback: isCovered(declarations, index, isPicture), isPicture });
      }
    }
    return uses;
  }

  #of({ property, value, important }: Declaration): readonly Feature[] {
    const key = `${property}:${value}${important ? "!" : ""}`;
    let features = this.#known.get(key);
    if (!features) {
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#known.set(key, (features = featuresOfDeclaration(property, value, important).filter(this.#matters)));
    }
    return features;
  }
}

const MOST_KNOWN = 10_000;
const declaredFeatures = new WeakMap<(feature: Feature) => boolean, DeclaredFeatures>();

function declaredThatMatter(matters: (feature: Feature) => boolean): DeclaredFeatures {
  const declared = declaredFeatures.get(matters) ?? new DeclaredFeatures(matters);
  declaredFeatures.set(matters, declared);
  return declared;
}
