import type { EmailElement } from "../../document/nodes.js";
import type { Rule } from "../../rule.js";
import { type Cascade, cascadeOf } from "../../styles/cascade.js";
import { PHONE } from "../../styles/media.js";
import { fontSizeOf } from "../../styles/type.js";
import { isHidden } from "../../styles/visible.js";

/** https://www.w3.org/TR/WCAG22/#target-size-minimum */
const LEAST = 24;

export const tapTarget: Rule = {
  id: "tap-target",
  summary: "A button is too small to be tapped.",
  severity: "warning",
  checkTemplate({ document }) {
    const cascade = cascadeOf(document);
    return document.named("a").flatMap((link) => {
      if (!link.attributes.has("href") || !isButton(cascade, link)) return [];
      const height = heightOf(cascade, link);
      if (height === undefined || height >= LEAST || isHidden(cascade, link, PHONE)) return [];
      const message = `This button is ${Math.round(height * 10) / 10} pixels high: a finger needs at least ${LEAST}, and better 44.`;
      return [{ message, at: link.at(), hint: "Give it more padding." }];
    });
  },
};

/** A link that is a box with a colour or an edge of its own, and no part of a sentence. */
function isButton(cascade: Cascade, link: EmailElement): boolean {
  const display = cascade.value(link, "display", PHONE);
  if (display !== "inline-block" && display !== "block") return false;
  const colour = cascade.value(link, "background-color", PHONE) ?? "transparent";
  const isAlone = (link.parent?.children ?? []).every((child) => child.kind !== "text" || isSpace(child.text));
  return isAlone && (edgeOf(cascade, link) !== 0 || !/^(?:transparent|none|inherit|initial|unset)$/.test(colour));
}

/** Whether nothing of it is read: the tags of sections are not. */
function isSpace(text: string): boolean {
  return text.replaceAll(/\{\{\s*[#^/][^}]*\}\}/g, "").trim() === "";
}

/** Of one line of text, its padding included; undefined where it is not known. */
function heightOf(cascade: Cascade, link: EmailElement): number | undefined {
  if (link.descendants.some(({ name }) => !INLINE.has(name))) return undefined;
  const given = (property: string): string | undefined => cascade.value(link, property, PHONE);
  const parts = [
    pixels(given("height")) ?? lineHeightOf(cascade, link),
    pixels(given("padding-top") ?? "0"),
    pixels(given("padding-bottom") ?? "0"),
    edgeOf(cascade, link),
  ];
  return parts.reduce((sum, part) => (sum === undefined || part === undefined ? undefined : sum + part), 0);
}

/** How much its border adds to its height: undefined of one that is given in parts. */
function edgeOf(cascade: Cascade, link: EmailElement): number | undefined {
  const border = cascade.value(link, "border", PHONE) ?? "none";
  if (cascade.given(link, "border-width", PHONE) || cascade.given(link, "border-top", PHONE)) return undefined;
  if (/^(?:0|none)/.test(border)) return 0;
  const width = pixels(border.split(/\s+/).find((word) => /^\d/.test(word)));
  return width === undefined ? undefined : 2 * width;
}

const INLINE: ReadonlySet<string> = new Set(["b", "strong", "i", "em", "u", "span", "font"]);

function lineHeightOf(cascade: Cascade, link: EmailElement): number | undefined {
  const given = [link, ...link.ancestors].map((each) => cascade.given(each, "line-height", PHONE)).find(Boolean);
  const size = fontSizeOf(cascade, link, PHONE);
  const own = given?.value ?? "normal";
  if (size === undefined) return pixels(own);
  if (own === "normal") return size * 1.2;
  const [, number, percent] = /^(\d*\.?\d+)(%|em)?$/.exec(own) ?? [];
  if (number !== undefined) return (Number(number) * size) / (percent === "%" ? 100 : 1);
  return pixels(own);
}

function pixels(value: string | undefined): number | undefined {
  const [, number] = /^(\d*\.?\d+)px$/.exec(value ?? "") ?? [];
  if (number !== undefined) return Number(number);
  return value === "0" ? 0 : undefined;
}
