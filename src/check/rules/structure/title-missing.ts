import type { Rule } from "../../rule.js";

export const titleMissing: Rule = {
  id: "title-missing",
  summary: "The html body has no title.",
  severity: "info",
  isOptional: true,
  checkTemplate({ document }) {
    const head = document.first("head") ?? document.first("html");
    const title = document.named("title").find(({ parent }) => parent?.name !== "svg");
    if (!head || (title && title.text.trim() !== "")) return [];
    const message = title ? "The <title> is empty." : "The body has no <title>.";
    return [
      { message, at: (title ?? head).at(), hint: "Say what the email is about in `<title>`, or in `<mj-title>`." },
    ];
  },
};
