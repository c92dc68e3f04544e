import type { Rule } from "../../rule.js";

export const viewportZoom: Rule = {
  id: "viewport-zoom",
  summary: "The viewport keeps readers from making the email larger.",
  severity: "info",
  checkTemplate: ({ document }) =>
    document.named("meta").flatMap((meta) => {
      if (meta.attribute("name")?.trim().toLowerCase() !== "viewport") return [];
      const [found] = FIXED.exec(meta.attribute("content") ?? "") ?? [];
      if (found === undefined) return [];
      return [
        {
          message: `"${found}" in the viewport keeps readers from making the email larger.`,
          at: meta.at("content"),
          hint: 'Write `content="width=device-width, initial-scale=1"`.',
        },
      ];
    }),
};

/** What leaves less than twice the size, which WCAG asks for. */
const FIXED = /\buser-scalable\s*=\s*(?:no|0)\b|\bmaximum-scale\s*=\s*(?:[01](?:\.\d+)?)(?![\d.])/i;
