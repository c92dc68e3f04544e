import type { BuiltInRule } from "../../rule.js";
import { subjectPosition } from "../../checked-template.js";

/** Elements that somebody may want to use, and entities; not `<3` or `<name>`. */
const MARKUP =
  /<\/?(?:a|b|br|em|font|i|img|p|small|span|strong|sub|sup|u)(?:\s[^<>]*)?\/?>|&(?:[a-z]{2,8}|#\d{2,5}|#x[0-9a-f]{2,5});/i;

export const subjectMarkup: BuiltInRule = {
  id: "subject-markup",
  severity: "warning",
  isSilencedByComments: false,
  summary: "The subject has HTML or entities, which inboxes show as text.",
  details: "The subject has HTML, such as `<b>`, or an entity, such as `&amp;`.",
  why:
    "A subject is plain text ([RFC 5322, section 3.6.5](https://www.rfc-editor.org/rfc/rfc5322#section-3.6.5)), so " +
    "inboxes show markup as text.",
  fix: "Write plain text.",
  examples: {
    wrong: [{ "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": ‸"Tea &amp; jam" }' }],
    right: [{ "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": "Tea & jam" }' }],
  },
  *checkTemplate(checked) {
    const markup = MARKUP.exec(checked.compiled.subject)?.[0];
    if (markup !== undefined)
      yield {
        message: `The subject has ${markup}, which inboxes show as text.`,
        at: subjectPosition(checked),
        hint: "Write plain text.",
      };
  },
};
