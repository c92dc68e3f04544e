/**
 * Removes insignificant differences between React's and Mustache's HTML before both sides of the oracle are compared:
 *
 * - Mustache escapes more than React, and writes an apostrophe differently; `<`, `>`, `&` and `"` are escaped alike.
 * - `Preview` truncates its text, and the title made of it, and pads it with invisible characters, to a length in which a
 *   variable counts with its value on one side and with its tag on the other.
 * - Tailwind writes rules for screens and themes into the head, for all classes that a body may use.
 * - React omits an empty `src` and `href`, and styles with an empty value, and trims the spaces around a value; an empty
 *   `class` is insignificant.
 */
export function normalise(html: string): string {
  const text = withPlainTexts(html);
  return withoutUnusedRules(withoutPreviewEnds(text))
    .replace(/ (?:src|href|class)=""/g, "")
    .replace(/ style="([^"]*)"/g, (style, css: string) => (UNTIDY.test(css) ? styleOf(css) : style));
}

/** The first steps, which suffice for most bodies: plain characters where none need escaping, and no padding. */
export function withPlainTexts(html: string): string {
  return html.replace(ESCAPED, (entity) => PLAIN[entity.toLowerCase()] ?? entity).replace(PADDING, "");
}

/** A style that React may write differently: with spaces around a value, without a value, or empty. */
const UNTIDY = /[:;]\s|\s;|^\s|\s$|[:;];|[:;]$|^;|^$/;

function styleOf(css: string): string {
  const declarations = css
    .split(";")
    .filter((each) => !/:\s*$/.test(each))
    .map((each) => each.trim().replace(/:\s+/, ":"));
  const tidied = declarations.filter(Boolean).join(";");
  return tidied === "" ? "" : ` style="${tidied}"`;
}

const PLAIN: Readonly<Record<string, string>> = {
  "&#x27;": "'",
  "&#39;": "'",
  "&#x2f;": "/",
  "&#x60;": "`",
  "&#x3d;": "=",
};
const ESCAPED = /&#(?:x27|39|x2f|x60|x3d);/gi;
const PADDING = /(?:<div>)?(?:\u00A0[\u200B-\u200F\uFEFF]{4,6})+(?:<\/div>)?/g;

/** More than any inbox shows of a preview, and less than `Preview` keeps. */
const PREVIEW_SHOWN = 120;

function withoutPreviewEnds(html: string): string {
  const cut: string[] = [];
  const previews = html.replace(PREVIEW, (_whole, tag: string, text: string) => {
    if (text.length > PREVIEW_SHOWN) cut.push(text);
    return tag + text.slice(0, PREVIEW_SHOWN);
  });
  return previews.replace(/<title>([^<]*)/g, (whole, text: string) =>
    cut.includes(text) ? `<title>${text.slice(0, PREVIEW_SHOWN)}` : whole,
  );
}

const PREVIEW = /(<div\b[^>]*\bdata-skip-in-text="true"[^>]*>)([^<]*)/g;

function withoutUnusedRules(html: string): string {
  if (!html.includes("<style")) return html;
  const used = new Set(Array.from(html.matchAll(/ class="([^"]*)"/g), ([, names = ""]) => names.split(/\s+/)).flat());
  return html.replace(/(<style\b[^>]*>)([\s\S]*?)<\/style>/g, (_whole, tag: string, css: string) => {
    const rules = css.replace(/\.((?:[\w-]|\\.)+)[^{},]*\{[^{}]*\}/g, (rule, name: string) =>
      used.has(name.replaceAll("\\", "")) ? rule : "",
    );
    const kept = rules.replace(/@media[^{}]*\{\s*\}/g, "");
    return kept.trim() === "" ? "" : `${tag}${kept}</style>`;
  });
}

/** The texts around the first difference of two strings, and its offset in the right one. */
export interface TextDifference {
  readonly left: string;
  readonly right: string;
  readonly at: number;
  /** The same for differences that look the same, wherever they are. */
  readonly key: string;
}

const BEFORE = 40;
const AFTER = 60;
const KEY = 12;

/** @returns Undefined if they are equal. */
export function firstDifference(left: string, right: string): TextDifference | undefined {
  if (left === right) return undefined;
  let at = 0;
  while (left[at] === right[at]) at += 1;
  const around = (text: string): string =>
    `${at > BEFORE ? "…" : ""}${text.slice(Math.max(0, at - BEFORE), at + AFTER)}${text.length > at + AFTER ? "…" : ""}`;
  const key = JSON.stringify([left, right].map((text) => text.slice(at, at + KEY)));
  return { left: around(left), right: around(right), at, key };
}
