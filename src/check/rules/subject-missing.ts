import type { Rule } from "../rule.js";

export const subjectMissing: Rule = {
  id: "subject-missing",
  checkTemplate({ template, compiled }) {
    if (compiled.subject.trim() !== "") return [];
    return [
      {
        severity: "warning",
        message: "The template has no subject, so every send must bring its own.",
        at: { file: template.metadataSource?.file ?? template.body.file },
        hint: 'Add "subject" to template.json, or a title to the body.',
      },
    ];
  },
};
