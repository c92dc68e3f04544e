import type { Finding, Rule } from "../../rule.js";

export const viewport: Rule = {
  id: "viewport",
  summary: "The viewport is missing, is not as wide as the device, or prevents zooming.",
  severity: "warning",
  checkTemplate({ document }): Finding[] {
    const head = document.first("head") ?? document.first("html");
    if (!head) return [];
    const meta = document.named("meta").find((each) => each.attribute("name")?.trim().toLowerCase() === "viewport");
    if (!meta) {
      const hasNarrow = document.atRules.some(({ name, prelude }) => name === "media" && /max-width/i.test(prelude));
      return [
        {
          severity: hasNarrow ? "warning" : "info",
          message: hasNarrow
            ? "The body has styles for narrow screens but no viewport, so phones may not apply them."
            : "The body has no viewport, so phones may show it as a wide page, scaled down.",
          at: head.at(),
          hint: `Put \`<meta name="viewport" ${USUAL}>\` in \`<head>\`.`,
        },
      ];
    }
    const content = meta.attribute("content")?.trim() ?? "";
    const found = (severity: "warning" | "info", message: string): Finding[] => [
      { severity, message, at: meta.at("content"), hint: `Write \`${USUAL}\`.` },
    ];
    if (content === "" || /(?:^|[\s,;])width\s*=\s*\d/i.test(content))
      return found("warning", `The viewport "${content}" is not as wide as the device.`);
    const [fixed] = FIXED.exec(content) ?? [];
    return fixed === undefined ? [] : found("info", `"${fixed}" in the viewport prevents people from zooming in.`);
  },
};

const USUAL = 'content="width=device-width, initial-scale=1"';

/** WCAG requires zooming to at least twice the size. */
const FIXED = /\buser-scalable\s*=\s*(?:no|0)\b|\bmaximum-scale\s*=\s*(?:[01](?:\.\d+)?)(?![\d.])/i;
