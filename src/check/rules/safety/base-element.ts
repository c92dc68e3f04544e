import type { Rule } from "../../rule.js";

export const baseElement: Rule = {
  id: "base-element",
  summary: "A body has `<base>`, which most mail clients take away.",
  severity: "warning",
  checkTemplate: ({ document }) =>
    document.named("base").map((base) => ({
      message: "Most mail clients take <base> away, so that the addresses that rely on it lead nowhere.",
      at: base.at(),
      hint: "Write whole addresses.",
    })),
};
