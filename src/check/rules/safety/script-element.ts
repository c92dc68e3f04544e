import type { Rule } from "../../rule.js";

export const scriptElement: Rule = {
  id: "script-element",
  summary: "A body has a script.",
  severity: "error",
  checkTemplate: ({ document }) =>
    document
      .named("script")
      // Data that Gmail reads for its own buttons.
      .filter((script) => script.attribute("type")?.trim().toLowerCase() !== "application/ld+json")
      .map((script) => ({
        message: "Mail clients run no scripts, and filters refuse mails that have one.",
        at: script.at(),
        hint: "Take the script away.",
      })),
};
