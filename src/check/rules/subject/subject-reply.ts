import type { Rule } from "../../rule.js";
import { subjectPosition } from "../../source-position.js";

/** What mail programs write before the subject of an answer, or of what is sent on; a tag after it may print just that. */
const BEGINNING = /^\s*(?:re|fwd?|aw|wg)\s*:(?!\s*\{\{)/i;

export const subjectReply: Rule = {
  id: "subject-reply",
  summary: "A subject begins as that of an answer does.",
  severity: "info",
  checkTemplate(checked) {
    const [written] = BEGINNING.exec(checked.compiled.subject) ?? [];
    if (written === undefined) return [];
    return [
      {
        message: `The subject begins with "${written.trim()}", as if it answered a mail: filters count that, and readers feel deceived.`,
        at: subjectPosition(checked),
        hint: "Take it away.",
      },
    ];
  },
};
