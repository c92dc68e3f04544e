import { clientsOf } from "../../client-support/data.js";
import { readCss } from "../../css/read-css.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import { documentWith, type BuiltInRule, type Finding } from "../../rule.js";
import { formatNumber } from "../../lib/texts.js";

/** Bytes of CSS that Gmail keeps, over all `<style>` elements. */
const GMAIL_KEEPS = 16 * 1024;

export const gmailStyles: BuiltInRule = {
  id: "gmail-styles",
  severity: "warning",
  summary: "Gmail drops a `<style>` element with all its styles.",
  details:
    "Gmail drops a `<style>` element with all its styles: those for narrow screens, for dark mode, and for every " +
    "class.",
  why:
    "Gmail keeps or drops a `<style>` element as a whole. It drops an element\n\n" +
    "- with an at-rule nested in another, such as `@media` in `@media` or `@font-face` in `@media` ([caniemail's " +
    "author](https://github.com/hteumeuleu/caniemail/issues/144)). Tailwind's variants generate such rules: " +
    "`sm:hover:…`;\n" +
    "- that exceeds 16 KB, counted over all of them in order " +
    "([measured](https://github.com/hteumeuleu/email-bugs/issues/90));\n" +
    "- in the `<body>` ([caniemail](https://www.caniemail.com/features/html-style/)).\n\n" +
    "You won't notice, because the email looks right everywhere else. An element with only web fonts is not " +
    "reported, because Gmail shows none. Nothing is reported if the project's `check.clients` include no Gmail.",
  fix:
    "Combine conditions into one at-rule, `@media screen and (max-width: 480px)`. Remove unused styles, and inline " +
    "those that all clients need. Move `<style>` into the `<head>`.",
  examples: {
    wrong: [
      documentWith({
        style: `@media screen {
  ‸@media (max-width: 480px) { .wide { width: 100% } }
}`,
      }),
      `‸<style>.wide { width: 100% }</style>
<p class="wide">Your order</p>`,
    ],
    right: [
      documentWith({
        style: "@media screen and (max-width: 480px) { .wide { width: 100% } }",
      }),
    ],
  },
  *checkTemplate({ document, settings }) {
    if (!clientsOf(settings.clients).some((client) => client.startsWith("gmail."))) return;
    let bytes = 0;
    let isFull = false;
    for (const element of document.named("style")) {
      bytes += Buffer.byteLength(element.text);
      if (!hasRules(element) || isMeantForOthers(element)) continue;
      const nested = nestedAtRule(element);
      if (nested) yield nested;
      else if (element.place !== undefined && element.ancestors.some(({ name }) => name === "body"))
        yield {
          message: "Gmail drops a `<style>` element in the `<body>`.",
          at: element.at(),
          hint: "Move it into the `<head>`.",
        };
      else if (bytes > GMAIL_KEEPS && !isFull) {
        isFull = true;
        yield {
          message: `The \`<style>\` elements up to here are ${formatNumber(bytes)} bytes. Gmail keeps ${formatNumber(GMAIL_KEEPS)}, and drops the element that exceeds them.`,
          at: element.at(),
          hint: "Remove unused styles, inline styles, or move those for narrow screens and dark mode to a `<style>` element before the others.",
        };
      }
    }
  },
};

/** The `<style>` elements that Gmail drops because of their content or length. */
export function droppedByGmail(document: EmailDocument): ReadonlySet<EmailElement> {
  let bytes = 0;
  return new Set(
    document.named("style").filter((element) => {
      bytes += Buffer.byteLength(element.text);
      return bytes > GMAIL_KEEPS || isMeantForOthers(element) || nestedAtRule(element) !== undefined;
    }),
  );
}

/** Gmail supports no web fonts, so losing an element with nothing else does not matter. */
function hasRules(element: EmailElement): boolean {
  return element.document.styleRules.some((rule) => rule.element === element);
}

/** MJML's accordion and carousel make Gmail drop their styles on purpose: `@goodbye { @gmail }`. */
function isMeantForOthers({ text }: EmailElement): boolean {
  return /@goodbye\s*\{\s*@gmail\b/i.test(text);
}

function nestedAtRule(element: EmailElement): Finding | undefined {
  if (!element.text.includes("@")) return undefined;
  const { atRules, unclosed = Infinity } = readCss(element.text, "sheet");
  const nested = atRules.find(({ within, offset }) => within !== undefined && offset < unclosed);
  if (!nested) return undefined;
  return {
    message: `\`@${nested.name}\` is nested in \`${nested.within}\`, so Gmail drops the whole \`<style>\` element.`,
    at: element.document.positionWithin(element.text, nested.offset) ?? element.at(),
    hint: "Combine the conditions, as in `@media screen and (max-width: 480px)`, or move it to its own `<style>` element after the others.",
  };
}
