import type { Finding, Rule } from "../../rule.js";
import { subjectPosition } from "../../source-position.js";

/** What is no letter of any language; line breaks are the matter of a rule of their own. */
const CONTROL = /(?![\t\n\v\f\r\u0085])\p{Cc}/u;

export const subjectCharacters: Rule = {
  id: "subject-characters",
  summary: "A subject has a control character, or a space too many.",
  severity: "warning",
  checkTemplate(checked) {
    const findings: Finding[] = [];
    const { subject = "" } = checked.template.metadata;
    const control = CONTROL.exec(checked.compiled.subject)?.[0];
    if (control !== undefined) {
      const code = control.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
      findings.push({
        message: `The subject has the control character U+${code}, which inboxes show as a box or as nothing.`,
        at: subjectPosition(checked),
        hint: "Write the subject without it.",
      });
    }
    if (subject.trim() !== "" && subject !== subject.trim())
      findings.push({
        severity: "info",
        message: `The subject ${/^\s/.test(subject) ? "begins" : "ends"} with a space.`,
        at: subjectPosition(checked),
        hint: "Take it away.",
      });
    else if (/\S {2,}\S/.test(subject))
      findings.push({
        severity: "info",
        message: "The subject has two spaces in a row.",
        at: subjectPosition(checked),
        hint: "Keep one of them.",
      });
    return findings;
  },
};
