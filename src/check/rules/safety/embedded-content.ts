import type { Rule } from "../../rule.js";

export const embeddedContent: Rule = {
  id: "embedded-content",
  summary: "A body has a frame or an embedded object.",
  severity: "error",
  checkTemplate: ({ document }) =>
    document
      .named("iframe", "object", "embed", "applet", "frame", "frameset", "bgsound")
      .filter(({ parent }) => parent?.name !== "object" && parent?.name !== "frameset")
      .map((element) => ({
        message: `<${element.name}> is taken away by mail clients, and filters punish it.`,
        at: element.at(),
        hint: "Show a picture that links to the page.",
      })),
};
