import type { Rule } from "../../rule.js";
import { subjectPosition } from "../../source-position.js";

/** Elements that somebody may want to use, and entities; not `<3` or `<name>`. */
const MARKUP =
  /<\/?(?:a|b|br|em|font|i|img|p|small|span|strong|sub|sup|u)(?:\s[^<>]*)?\/?>|&(?:[a-z]{2,8}|#\d{2,5}|#x[0-9a-f]{2,5});/i;

export const subjectMarkup: Rule = {
  id: "subject-markup",
  summary: "The subject has HTML or entities, which inboxes show as text.",
  severity: "warning",
  checkTemplate(checked) {
    const markup = MARKUP.exec(checked.compiled.subject)?.[0];
    if (markup === undefined) return [];
    return [
      {
        message: `The subject has ${markup}, which inboxes show as text.`,
        at: subjectPosition(checked),
        hint: "Write plain text.",
      },
    ];
  },
};
