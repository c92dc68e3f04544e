import { readCss } from "../../css/read-css.js";
import { writtenCss } from "../../css/written-css.js";
import { documentWith, type BuiltInRule } from "../../rule.js";

export const cssSyntax: BuiltInRule = {
  id: "css-syntax",
  severity: "warning",
  summary: "CSS is broken, so email clients ignore part of it.",
  details:
    "CSS is broken, so email clients ignore part of it.\n\n" +
    "The rule reads CSS where it was written: in `<style>`, `<mj-style>` and style attributes, in included files, " +
    "and in the `<style>` of components. It skips CSS that depends on a Mustache tag.",
  why:
    "Clients silently ignore CSS that they can't read ([CSS Syntax, error " +
    "handling](https://www.w3.org/TR/css-syntax-3/#error-handling)). That can cost more than the mistake itself: " +
    "an extra `}`, a `;` between rules or a `//` also costs the next rule, a missing `;` costs two declarations, " +
    "and an unclosed rule costs everything after it. Gmail may drop the whole `<style>`.",
  fix:
    "The message says what is ignored, and where. Write comments as `/* … */`; `//` is not a comment in CSS. " +
    "Compile `$ink: …`, `@include` and other preprocessor syntax to CSS first.",
  examples: {
    wrong: [
      '<p style="‸color #333333; margin: 0">Your order</p>',
      documentWith({
        style: `p { ‸color: #333333 // ink
}`,
      }),
    ],
    right: [
      '<p style="color: #333333; margin: 0">Your order</p>',
      documentWith({
        style: `/* ink */
p { color: #333333 }`,
      }),
    ],
  },
  *checkTemplate({ document }) {
    for (const { kind, text, at } of writtenCss(document))
      for (const { offset, ...mistake } of readCss(text, kind).mistakes) yield { ...mistake, at: at(offset) };
  },
};
