/**
 * Html as both sides of the oracle may have it: without what differs between React and Mustache and means the same.
 *
 * - Mustache escapes more than React, and writes an apostrophe otherwise; `<`, `>`, `&` and `"` stay as they are.
 * - `Preview` fills up with invisible characters to a length that counts the text before them.
 * - React leaves out an empty `src` and `href`, and a style whose value is empty; an empty `class` is none.
 */
export function normalise(html: string): string {
  return html
    .replace(ESCAPED, (entity) => PLAIN[entity.toLowerCase()] ?? entity)
    .replace(PADDING, "")
    .replace(/ (?:src|href|class)=""/g, "")
    .replace(/ style="([^"]*)"/g, (_style, css: string) =>
      styleOf(css.split(";").filter((each) => !/:\s*$/.test(each))),
    );
}

function styleOf(declarations: readonly string[]): string {
  const css = declarations.filter(Boolean).join(";");
  return css === "" ? "" : ` style="${css}"`;
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

/** What stands around the first difference of two texts, on both sides; undefined where they are the same. */
export interface Difference {
  readonly left: string;
  readonly right: string;
}

const BEFORE = 40;
const AFTER = 60;

export function firstDifference(left: string, right: string): Difference | undefined {
  if (left === right) return undefined;
  let at = 0;
  while (left[at] === right[at]) at += 1;
  const around = (text: string): string =>
    `${at > BEFORE ? "…" : ""}${text.slice(Math.max(0, at - BEFORE), at + AFTER)}${text.length > at + AFTER ? "…" : ""}`;
  return { left: around(left), right: around(right) };
}
