import type { BuiltInRule, Finding } from "../../rule.js";
import { inheritedValue } from "../../styles/cascade.js";
import { LIGHT } from "../../styles/matching.js";
import { isHidden } from "../../styles/computed.js";
import { readTexts, sampleOf } from "../../lib/texts.js";

export const fontFallback: BuiltInRule = {
  id: "font-fallback",
  severity: "warning",
  summary: "Text uses only fonts that many recipients don't have.",
  details:
    "Text uses only fonts that many recipients don't have, such as `font-family: Inter`, without a generic one " +
    "such as `sans-serif` after them.",
  why:
    "Web fonts work in few clients ([caniemail.com](https://www.caniemail.com/features/css-at-font-face/)). A " +
    "client that has none of the fonts uses its default, often Times New Roman. Fonts that come with Windows, such " +
    "as Arial or Georgia, are fallback enough.",
  fix: "Add a common font and a generic one: `font-family: Inter, Arial, sans-serif`.",
  examples: {
    wrong: ['<p style="‸font-family: Inter">Your order is on its way.</p>'],
    right: [
      '<p style="font-family: Inter, Arial, sans-serif">Your order is on its way.</p>',
      '<p style="font-family: Georgia">Your order is on its way.</p>',
    ],
  },
  *checkTemplate({ document }): Generator<Finding> {
    const reported = new Set<string>();
    for (const [element, words] of readTexts(document)) {
      if (!LETTERS.test(words) || isHidden(element, LIGHT)) continue;
      const { given } = inheritedValue(element, "font-family", LIGHT) ?? {};
      if (!given || isInstalled(given.value) || reported.has(given.value)) continue;
      reported.add(given.value);
      yield {
        message: `The font \`${given.value}\` has no fallback: recipients without it see the default font, often Times New Roman.`,
        at: given.at(),
        hint: `Used for "${sampleOf(words)}". Add a common font and a generic one, such as \`Arial, sans-serif\`.`,
      };
    }
  },
};

/** The scripts of Times New Roman. For all others, clients choose a font that has the letters. */
const LETTERS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** Whether one of the fonts is installed everywhere, or the fonts are unknown. */
function isInstalled(families: string): boolean {
  if (/\{\{|var\(|^(?:inherit|initial|unset|revert)/i.test(families)) return true;
  return families.split(",").some((name) => INSTALLED.test(name.replaceAll(/["'“”„‘’]|;.*/g, "").trim()));
}

/** Generic families, and fonts that Windows has or substitutes. */
const INSTALLED =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|arial(?: black)?|helvetica|verdana|tahoma|georgia|times(?: new roman)?|courier(?: new)?|trebuchet ms|calibri|cambria|consolas|segoe ui|comic sans ms|impact|lucida (?:console|sans unicode)|palatino linotype)$/i;
