import type { Finding, Rule } from "../../rule.js";

export const viewportMissing: Rule = {
  id: "viewport-missing",
  summary: "The html body does not say that it fits a phone's width.",
  severity: "warning",
  checkTemplate({ document }): Finding[] {
    const head = document.first("head") ?? document.first("html");
    if (!head) return [];
    const meta = document.named("meta").find((each) => each.attribute("name")?.trim().toLowerCase() === "viewport");
    const hint = 'Put `<meta name="viewport" content="width=device-width, initial-scale=1">` in `<head>`.';
    if (!meta) {
      const hasNarrow = document.atRules.some(({ name, prelude }) => name === "media" && /max-width/i.test(prelude));
      const message = hasNarrow
        ? "The body has styles for narrow screens and no viewport: phones may not use them."
        : "The body has no viewport: phones may show it as a small picture of a wide page.";
      return [{ message, at: head.at(), hint, severity: hasNarrow ? "warning" : "info" }];
    }
    const content = meta.attribute("content")?.trim() ?? "";
    if (content !== "" && !/(?:^|[\s,;])width\s*=\s*\d/i.test(content)) return [];
    return [{ message: `The viewport "${content}" is not as wide as the device.`, at: meta.at("content"), hint }];
  },
};
