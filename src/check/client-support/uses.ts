import { Latest } from "../../cache/latest.js";
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

/** Every use of these features, in document order. */
export function* usesIn(document: EmailDocument, features: ReadonlySet<Feature>): Generator<Use> {
  const anchors = new Set(
    document.elements.flatMap(({ attributes }) => [attributes.get("id"), attributes.get("name")]),
  );
  for (const element of document.elements) {
    for (const { feature, attribute } of featuresOfElement(element.name, element.attributes)) {
      const value = attribute === undefined ? "" : (element.attribute(attribute) ?? "");
      // Links such as `#` are placeholders.
      if (!features.has(feature) || (feature === "html-anchor-links" && !anchors.has(value.slice(1)))) continue;
      const by: Use["by"] =
        attribute === undefined ? { kind: "element" } : { kind: "attribute", name: attribute, value };
      // A client that does not support `source` shows the `img`.
      yield { feature, element, by, hasFallback: element.name === "source" };
    }
    const style = element.attribute("style");
    if (style && features.has("css-comments") && hasComment(style))
      yield { feature: "css-comments", element, by: { kind: "attribute", name: "style", value: style } };
    if (style)
      yield* inDeclarations(
        element.style,
        { element, requires: [], declared: featuresOfStyle(style, element) },
        features,
      );
    if (element.name === "style") yield* inSheet(element, document, features);
  }
  for (const { selectors, declarations, within, element } of document.styleRules) {
    const general = selectors.filter((selector) => !CLIENT_HOOKS.test(selector));
    if (general.length === 0) continue;
    const around = within.flatMap(featuresAround);
    const selector = general.join(", ");
    const own = new Set(general.flatMap(featuresOfSelector));
    if (general.length > 1) own.add("css-selector-grouping");
    for (const feature of own) {
      if (features.has(feature)) yield { feature, element, by: { kind: "selector", selector }, requires: around };
    }
    const requires = general.length === 1 ? [...around, ...own] : around;
    yield* inDeclarations(declarations, { element, requires, declared: featuresOf(declarations) }, features);
  }
  for (const { name, prelude, element } of document.atRules) {
    for (const feature of featuresOfAtRule(name, prelude)) {
      if (features.has(feature)) yield { feature, element, by: { kind: "at-rule", name, prelude } };
    }
  }
}

/** Comments inside rules of a stylesheet, and nested rules. */
function* inSheet(element: EmailElement, document: EmailDocument, features: ReadonlySet<Feature>): Generator<Use> {
  const { nested, comments, unclosed = Infinity } = readCss(element.text, "sheet");
  const at = (offset: number) => document.positionWithin(element.text, offset);
  for (const { text, offset } of features.has("css-nesting") ? nested : []) {
    // Rules after an unclosed rule are not nested on purpose.
    if (offset > unclosed) break;
    yield { feature: "css-nesting", element, by: { kind: "nesting", selector: text, at: at(offset) } };
  }
  for (const { text, offset } of features.has("css-comments") ? comments : [])
    yield { feature: "css-comments", element, by: { kind: "comment", text, at: at(offset) } };
}

/**
 * Selectors that target a single client on purpose: links added by Apple and Gmail, Outlook's dark mode, the elements that
 * Gmail, Yahoo! and Outlook.com wrap around an email, and Android's margin. https://howtotarget.email lists them.
 */
const CLIENT_HOOKS =
  /x-apple-data-detectors|\[data-og[a-z]{2}\]|\[owa\]|^u \+|\bu ?\+ ?[.#]|\.ii\b|#MessageViewBody|\.ExternalClass|#outlook\b|\.moz-text-html|\.yshortcuts|\.ReadMsgBody|\[class~="?x_|\.gmail-fix|#msgBody|\.aBn\b|\.a6S\b|\.a5q\b|\.im\b|\[style\*=["']?margin: ?16px 0/i;

/** The features of an at-rule around other rules, such as `@media print`. */
function featuresAround(written: string): Feature[] {
  const [, name = "", prelude = ""] = /^@([\w-]+)\s*([^]*)$/.exec(written) ?? [];
  return featuresOfAtRule(name.toLowerCase(), prelude);
}

type Declared = readonly (readonly Feature[])[];

function featuresOf(declarations: readonly Declaration[]): Declared {
  return declarations.map(({ property, value, important }) => featuresOfDeclaration(property, value, important));
}

/** Compiled HTML repeats most of its style attributes, also across documents. */
const styles = new Latest<Declared>(10_000);

function featuresOfStyle(style: string, element: EmailElement): Declared {
  let features = styles.get(style);
  if (!features) styles.set(style, (features = featuresOf(element.style)));
  return features;
}

function inDeclarations(
  declarations: readonly Declaration[],
  { element, requires, declared }: Required<Pick<Use, "element" | "requires">> & { readonly declared: Declared },
  features: ReadonlySet<Feature>,
): Use[] {
  const uses: Use[] = [];
  for (const [index, { property, value }] of declarations.entries())
    for (const feature of declared[index] ?? []) {
      if (!features.has(feature) || (property !== "display" && isHidden(declarations))) continue;
      // A client that drops a declaration uses an earlier one for the same property, or the colour behind an image.
      const isImage = /^background(?!-color)/.test(property) && /^image-|-gradient$|^css-background/.test(feature);
      const hasFallback =
        declarations.slice(0, index).some((other) => other.property === property && other.value !== value) ||
        (isImage && hasColour(declarations, element));
      uses.push({ feature, element, by: { kind: "declaration", property, value }, requires, hasFallback });
    }
  return uses;
}

/** Hidden content such as a preheader is hidden in several ways, at least one of which works in each client. */
function isHidden(declarations: readonly Declaration[]): boolean {
  return declarations.some(({ property, value }) => property === "display" && /^\s*none\s*$/i.test(value));
}

function hasColour(declarations: readonly Declaration[], { attributes }: EmailElement): boolean {
  return attributes.has("bgcolor") || declarations.some(({ property }) => property === "background-color");
}
