import type { Rule } from "../../rule.js";
import { subjectPosition } from "../../source-position.js";

/** Elements that somebody might mean to use; `<3` and `<name>` are none. */
const MARKUP =
  /<\/?(?:a|b|br|em|font|i|img|p|small|span|strong|sub|sup|u)(?:\s[^<>]*)?\/?>|&(?:[a-z]{2,8}|#\d{2,5}|#x[0-9a-f]{2,5});/i;

export const subjectMarkup: Rule = {
  id: "subject-markup",
  summary: "A subject has html or entities, which are shown as they are.",
  severity: "warning",
  checkTemplate(checked) {
    const found = MARKUP.exec(checked.compiled.subject)?.[0];
    if (found === undefined) return [];
    return [
      {
        message: `The subject has ${found}, which inboxes show as it is: a subject is plain text.`,
        at: subjectPosition(checked),
        hint: "Write the letter that is meant, without markup.",
      },
    ];
  },
};
