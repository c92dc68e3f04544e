import type { Rule } from "../../rule.js";
import { subjectPosition } from "../../source-position.js";
import { ownWords } from "./subjects.js";

export const subjectCapitals: Rule = {
  id: "subject-capitals",
  summary: "A subject is written in capitals.",
  severity: "warning",
  checkTemplate(checked) {
    const words = ownWords(checked);
    // Two words and ten letters: `RE: SEPA` and `GDPR` are no shouting.
    const letters = words.match(/\p{L}/gu) ?? [];
    const cased = letters.filter((letter) => letter.toLowerCase() !== letter.toUpperCase());
    if (cased.length < 10 || !/\p{L}{2,}\P{L}+\p{L}{2,}/u.test(words)) return [];
    if (cased.some((letter) => letter !== letter.toUpperCase())) return [];
    return [
      {
        message: `The subject "${words}" is all in capitals, which filters count as a sign of spam.`,
        at: subjectPosition(checked),
        hint: "Write it as a sentence.",
      },
    ];
  },
};
