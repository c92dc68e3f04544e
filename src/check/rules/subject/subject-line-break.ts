import type { BuiltInRule } from "../../rule.js";
import { subjectPosition, filledSubjects } from "../../checked-template.js";

const BREAK = /[\r\n\u0085\u2028\u2029\v\f]/;

export const subjectLineBreak: BuiltInRule = {
  id: "subject-line-break",
  severity: "error",
  isSilencedByComments: false,
  summary: "The subject has a line break, in its own text or from the value of a fixture.",
  why:
    "A line break ends a header ([RFC 5322, section 2.2](https://www.rfc-editor.org/rfc/rfc5322#section-2.2)), and " +
    "what follows could become other headers, such as another recipient. A line break in `template.json` becomes a " +
    "space; one in a value is up to the application.",
  fix: "Write the subject on one line, and remove line breaks from the value in the application or in `derive`.",
  examples: {
    wrong: [
      { "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": ‸"Your order\\nfrom Fernhill" }' },
    ],
    right: [{ "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": "Your order from Fernhill" }' }],
  },
  *checkTemplate(checked) {
    if (BREAK.test(checked.template.metadata.subject?.trim() ?? ""))
      yield {
        severity: "warning",
        message: "The subject has a line break, which becomes a space.",
        at: subjectPosition(checked),
        hint: "Write the subject on one line.",
      };
    const filled = filledSubjects(checked).find(({ text }) => BREAK.test(text));
    if (filled)
      yield {
        message: `With the fixture ${filled.fixture}, the subject has a line break: "${filled.text.replace(/\s+/g, " ").trim()}". A line break ends a subject, and what follows could become headers of the email.`,
        at: subjectPosition(checked),
        hint: "Pass a string without line breaks, or remove them in derive.",
      };
  },
};
