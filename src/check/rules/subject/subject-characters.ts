import type { Finding, Rule } from "../../rule.js";
import { subjectPosition } from "../../source-position.js";

export const subjectCharacters: Rule = {
  id: "subject-characters",
  summary: "The subject has a control character or superfluous spaces.",
  severity: "warning",
  checkTemplate(checked) {
    const findings: Finding[] = [];
    const at = subjectPosition(checked);
    // A rule of its own checks line breaks.
    const [control] = /(?![\t\n\v\f\r\u0085])\p{Cc}/u.exec(checked.compiled.subject) ?? [];
    if (control !== undefined) {
      const code = control.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
      const message = `The subject has the control character U+${code}, which inboxes show as a box or not at all.`;
      findings.push({ message, at, hint: "Remove it." });
    }
    const { subject = "" } = checked.template.metadata;
    const spaces = /^\s+\S/.test(subject)
      ? "begins with a space"
      : /\S\s+$/.test(subject)
        ? "ends with a space"
        : /\S {2,}\S/.test(subject) && "has two spaces in a row";
    if (spaces !== false)
      findings.push({ severity: "info", message: `The subject ${spaces}.`, at, hint: "Remove it." });
    return findings;
  },
};
