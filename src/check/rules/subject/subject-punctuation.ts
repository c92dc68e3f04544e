import type { Finding, Rule } from "../../rule.js";
import { subjectPosition } from "../../source-position.js";
import { ownWords } from "./subjects.js";

/** Several pictures joined to one count as one. */
const EMOJI =
  /\p{Regional_Indicator}{2}|(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)(?:\p{Emoji_Modifier}|\u200D\p{Extended_Pictographic}|\uFE0F)*/gu;
const MOST_EMOJI = 2;

export const subjectPunctuation: Rule = {
  id: "subject-punctuation",
  summary: "A subject has several exclamation marks, or many emoji.",
  severity: "warning",
  checkTemplate(checked) {
    const words = ownWords(checked);
    const marks = words.match(/[!\uFF01¡]/g)?.length ?? 0;
    const found: Finding[] = [];
    const at = subjectPosition(checked);
    // One ¡ and one ! belong together in Spanish.
    const most = words.includes("¡") ? 2 : 1;
    if (marks > most || /[!?]{2,}/.test(words) || (/!/.test(words) && /\?/.test(words)))
      found.push({
        message: `The subject "${words}" has ${/\?/.test(words) && /!/.test(words) ? "exclamation and question marks together" : "several exclamation marks"}, which filters count as a sign of spam.`,
        at,
        hint: "End it with one mark, or with none.",
      });
    const emoji = words.match(EMOJI) ?? [];
    if (emoji.length > MOST_EMOJI)
      found.push({
        message: `The subject has ${emoji.length} emoji: ${emoji.join(" ")}. Screen readers read out each by its name.`,
        at,
        hint: "Keep one at most.",
      });
    return found;
  },
};
