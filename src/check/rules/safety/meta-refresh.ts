import type { Rule } from "../../rule.js";

export const metaRefresh: Rule = {
  id: "meta-refresh",
  summary: 'A body sends its reader to another page by `<meta http-equiv="refresh">`.',
  severity: "error",
  checkTemplate: ({ document }) =>
    document
      .named("meta")
      .filter((meta) => meta.attribute("http-equiv")?.trim().toLowerCase() === "refresh")
      .map((meta) => ({
        message: "A mail that sends its reader to another page by itself is taken for phishing.",
        at: meta.at(),
        hint: "Take it away, and link to the page.",
      })),
};
