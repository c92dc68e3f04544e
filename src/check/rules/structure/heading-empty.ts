import type { Rule } from "../../rule.js";
import { headingsOf } from "./headings.js";
import { nameOf } from "./accessible-name.js";

export const headingEmpty: Rule = {
  id: "heading-empty",
  summary: "A heading says nothing.",
  severity: "warning",
  checkTemplate: ({ document }) =>
    headingsOf(document)
      .filter((heading) => nameOf(heading) === "")
      .map((heading) => ({
        message: `The heading <${heading.name}> is empty: screen readers announce it all the same.`,
        at: heading.at(),
        hint: "Remove it; for space, use padding.",
      })),
};
