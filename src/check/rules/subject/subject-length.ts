import type { Rule } from "../../rule.js";
import { subjectPosition } from "../../source-position.js";
import { filledSubjects } from "./subjects.js";

/** What phones show of a subject in portrait, in characters: 33 to 46, by client and width. */
const PHONE = 40;
/** What the narrowest inboxes of computers show. */
const LONG = 70;
const SOMEWHAT_LONG = 50;

export const subjectLength: Rule = {
  id: "subject-length",
  summary: "A subject is longer than inboxes show.",
  severity: "warning",
  checkTemplate(checked) {
    // What only some fixtures make long is a matter of their values: nobody can write a subject for the longest name.
    const [shortest] = filledSubjects(checked).toSorted((a, b) => lengthOf(a.text) - lengthOf(b.text));
    if (!shortest || lengthOf(shortest.text) <= SOMEWHAT_LONG) return [];
    const { text, fixture } = shortest;
    const filled = fixture === undefined ? "" : `, filled with the fixture ${fixture},`;
    return [
      {
        severity: lengthOf(text) > LONG ? "warning" : "info",
        message: `The subject${filled} has ${lengthOf(text)} characters; phones show about "${cut(text)}…".`,
        at: subjectPosition(checked),
        hint: "Say in the first 40 characters what the mail is about.",
      },
    ];
  },
};

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function cut(text: string): string {
  return Array.from(text).slice(0, PHONE).join("").trim();
}
