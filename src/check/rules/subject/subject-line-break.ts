import type { Finding, Rule } from "../../rule.js";
import { subjectPosition } from "../../source-position.js";
import { filledSubjects } from "./subjects.js";

const BREAK = /[\r\n\u0085\u2028\u2029\v\f]/;

export const subjectLineBreak: Rule = {
  id: "subject-line-break",
  summary: "The subject has a line break, in its own text or from the value of a fixture.",
  severity: "error",
  checkTemplate(checked) {
    const written = checked.template.metadata.subject;
    const own: Finding[] =
      written !== undefined && BREAK.test(written.trim())
        ? [
            {
              severity: "warning",
              message: "The subject has a line break, which becomes a space.",
              at: subjectPosition(checked),
              hint: "Write the subject on one line.",
            },
          ]
        : [];
    const filled = filledSubjects(checked).find(({ text }) => BREAK.test(text));
    if (!filled) return own;
    return [
      ...own,
      {
        message: `With the fixture ${filled.fixture}, the subject has a line break: "${filled.text.replace(/\s+/g, " ").trim()}". A line break ends a subject, and what follows could become headers of the email.`,
        at: subjectPosition(checked),
        hint: "Pass a string without line breaks, or remove them in derive.",
      },
    ];
  },
};
