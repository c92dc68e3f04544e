import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, Finding } from "../../rule.js";
import { inheritedValue, type CascadedValue } from "../../styles/cascade.js";
import { LIGHT } from "../../styles/matching.js";
import { fontSizeOf, isHidden } from "../../styles/computed.js";
import { withoutTags, readTexts, sampleOf } from "../../lib/texts.js";

/** The smallest ratio of line height to font size: large headings may be slightly below 1. */
const MIN_RATIO = 0.9;

export const lineHeight: BuiltInRule = {
  id: "line-height",
  severity: "warning",
  summary: "Lines of text overlap because the line height is smaller than the font size.",
  details:
    "Lines of text overlap because the line height is smaller than the font size: less than 90% of it, such as `font-size: " +
    "24px` with `line-height: 16px`.",
  why:
    "Lines overlap as soon as the text wraps, for example on a phone, and Outlook cuts letters off " +
    "([caniemail.com](https://www.caniemail.com/features/css-line-height/)). Often the size was changed and the " +
    "line height was not, or it is inherited from an outer element. A single word is not reported, because it does not wrap.",
  fix: "Set a line height of 1.2 to 1.6 times the font size, in the same place as the size.",
  examples: {
    wrong: ['<p style="font-size: 24px; ‸line-height: 16px">Your order is on its way.</p>'],
    right: ['<p style="font-size: 24px; line-height: 1.4">Your order is on its way.</p>'],
  },
  checkTemplate({ document }) {
    const findings = new Map<string, Finding>();
    for (const [element, words] of readTexts(document)) {
      const size = fontSizeOf(element, LIGHT);
      const line = lineOf(element);
      // A single word or variable fits on one line.
      if (!size || !line || line.pixels >= size * MIN_RATIO || !/\S\s+\S/.test(withoutTags(words))) continue;
      if (/^su[bp]$/.test(element.name) || isHidden(element, LIGHT)) continue;
      const at = line.given.at();
      const key = JSON.stringify([at, size]);
      if (findings.has(key)) continue;
      const message = `"${sampleOf(words)}" has a line height of ${round(line.pixels)}px and a font size of ${round(size)}px: its lines overlap.`;
      findings.set(key, { message, at, hint: `Use a line height of at least ${round(size * 1.2)}px.` });
    }
    return [...findings.values()];
  },
};

/** An element's line height in pixels; undefined if it is unknown or up to the client. */
function lineOf(element: EmailElement): { readonly pixels: number; readonly given: CascadedValue } | undefined {
  const { given, by } = inheritedValue(element, "line-height", LIGHT) ?? {};
  const [, number, unit = ""] = /^(\d*\.?\d+)(px|pt|em|rem|%)?$/.exec(given?.value ?? "") ?? [];
  if (!given || !by || number === undefined) return undefined;
  // A number without a unit is inherited as a factor, any other value as the length computed where it is set.
  const size = fontSizeOf(unit === "" ? element : by, LIGHT);
  const factor = size && { "": size, em: size, "%": size / 100, px: 1, pt: 4 / 3, rem: 16 }[unit];
  return factor === undefined ? undefined : { pixels: Number(number) * factor, given };
}

function round(pixels: number): string {
  return String(Number(pixels.toFixed(1)));
}
