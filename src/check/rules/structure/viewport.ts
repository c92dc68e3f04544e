import { documentWith, type BuiltInRule } from "../../rule.js";

export const viewport: BuiltInRule = {
  id: "viewport",
  severity: "warning",
  summary: "The viewport is missing, is not as wide as the device, or prevents zooming.",
  details:
    "The HTML body has no viewport, one of a fixed width, or one that prevents zooming (`user-scalable=no`, a " +
    "`maximum-scale` below 2).",
  why:
    "Without `width=device-width`, a phone may lay the email out as wide as a desktop page and show it small, so " +
    "`@media (max-width: …)` never matches: [MDN on the " +
    "viewport](https://developer.mozilla.org/docs/Web/HTML/Reference/Elements/meta/name/viewport). It is a warning " +
    "if the email has styles for narrow screens or the width is fixed, and otherwise a note. [WCAG 1.4.4, Resize " +
    "Text](https://www.w3.org/WAI/WCAG22/Understanding/resize-text) requires zooming; many clients ignore the " +
    "limit, so that is a note. MJML adds a viewport; React Email's `<Head>` does not.",
  fix: 'Put `<meta name="viewport" content="width=device-width, initial-scale=1">` in `<head>`.',
  examples: {
    wrong: [
      documentWith().replace("<head>", "‸<head>"),
      documentWith({ head: '<meta name="viewport" ‸content="width=600">' }),
      documentWith({ head: '<meta name="viewport" ‸content="width=device-width, user-scalable=no">' }),
    ],
    right: [documentWith({ head: '<meta name="viewport" content="width=device-width, initial-scale=1">' })],
  },
  *checkTemplate({ document }) {
    const head = document.first("head") ?? document.first("html");
    if (!head) return;
    const meta = document.named("meta").find((each) => each.attribute("name")?.trim().toLowerCase() === "viewport");
    if (!meta) {
      const hasNarrow = document.atRules.some(({ name, prelude }) => name === "media" && /max-width/i.test(prelude));
      yield {
        severity: hasNarrow ? "warning" : "info",
        message: hasNarrow
          ? "The body has styles for narrow screens but no viewport, so phones may not apply them."
          : "The body has no viewport, so phones may show it as a wide page, scaled down.",
        at: head.at(),
        hint: `Put \`<meta name="viewport" ${USUAL}>\` in \`<head>\`.`,
      };
      return;
    }
    const content = meta.attribute("content")?.trim() ?? "";
    const isFluid = content !== "" && !/(?:^|[\s,;])width\s*=\s*\d/i.test(content);
    const [fixed] = FIXED.exec(content) ?? [];
    if (!isFluid || fixed !== undefined)
      yield {
        severity: isFluid ? "info" : "warning",
        message: isFluid
          ? `"${fixed}" in the viewport prevents people from zooming in.`
          : `The viewport "${content}" is not as wide as the device.`,
        at: meta.at("content"),
        hint: `Write \`${USUAL}\`.`,
      };
  },
};

const USUAL = 'content="width=device-width, initial-scale=1"';

/** WCAG requires zooming to at least twice the size. */
const FIXED = /\buser-scalable\s*=\s*(?:no|0)\b|\bmaximum-scale\s*=\s*(?:[01](?:\.\d+)?)(?![\d.])/i;
