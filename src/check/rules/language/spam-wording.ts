import { onceEach } from "../../once-each.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { subjectPosition } from "../../source-position.js";
import { ownWords } from "../subject/subjects.js";
import { withoutTags } from "./plain.js";
import { SPAM_PHRASES, SPAM_SUBJECTS, SPAM_WORDS } from "./spam-phrases.js";
import { allWords, paragraphsOf, type Wording, wordingsOf } from "./wordings.js";

export const spamWording: Rule = {
  id: "spam-wording",
  summary: "A subject or a body is worded or punctuated as spam is, which raises spam scores.",
  severity: "info",
  isOptional: true,
  checkTemplate(checked) {
    const [subject, ...others] = wordingsOf(checked);
    // Almost no text has one, so each phrase is first searched for in all texts at once.
    const known = SPAM.filter(([phrase]) => phrase.test(allWords(checked)));
    return onceEach([
      ...subjectMarks(checked),
      ...bodyCapitals(checked),
      ...(subject ? phrasesIn(subject, SPAM_OF_SUBJECTS) : []),
      ...(known.length === 0 ? [] : others.flatMap((wording) => phrasesIn(wording, known))),
    ]);
  },
};

/** Several images joined to one count as one. */
const EMOJI =
  /\p{Regional_Indicator}{2}|(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)(?:\p{Emoji_Modifier}|\u200D\p{Extended_Pictographic}|\uFE0F)*/gu;
const MOST_EMOJI = 2;
/** What mail programs write before the subject of a reply or a forwarded email; a tag after it may print just that. */
const REPLY = /^\s*(?:re|fwd?|aw|wg)\s*:(?!\s*\{\{)/i;

function subjectMarks(checked: CheckedTemplate): Finding[] {
  const words = ownWords(checked);
  const at = subjectPosition(checked);
  const emoji = words.match(EMOJI)?.length ?? 0;
  const [reply] = REPLY.exec(checked.compiled.subject) ?? [];
  // One ¡ and one ! belong together in Spanish.
  const mostMarks = words.includes("¡") ? 2 : 1;
  const hasMarks = (words.match(/[!\uFF01¡]/g)?.length ?? 0) > mostMarks || /[!?]{2,}|!.*\?|\?.*!/.test(words);
  const mistakes = [
    isAllCapitals(words) && ["is all in capitals", "Write it as a sentence."],
    hasMarks && ["has several exclamation or question marks", "End it with one mark, or with none."],
    emoji > MOST_EMOJI && [`has ${emoji} emoji`, "Keep one at most: screen readers read out each by its name."],
    reply !== undefined && [`begins with "${reply.trim()}" as a reply does`, "Remove it."],
  ];
  return mistakes.flatMap((mistake) =>
    mistake ? [{ message: `The subject ${mistake[0]}, which raises spam scores.`, at, hint: mistake[1] }] : [],
  );
}

/** Two words and ten letters: `RE: SEPA` and `GDPR` are names. */
function isAllCapitals(words: string): boolean {
  const cased = (words.match(/\p{L}/gu) ?? []).filter((letter) => letter.toLowerCase() !== letter.toUpperCase());
  if (cased.length < 10 || !/\p{L}{2,}\P{L}+\p{L}{2,}/u.test(words)) return false;
  return cased.every((letter) => letter === letter.toUpperCase());
}

/** Letters below which a share says nothing. */
const FEW = 100;

function bodyCapitals({ document }: CheckedTemplate): Finding[] {
  const counted = paragraphsOf(document).map((paragraph) => {
    const words = withoutTags(paragraph.text);
    return { paragraph, capitals: count(words, /\p{Lu}/gu), small: count(words, /\p{Ll}/gu) };
  });
  const capitals = counted.reduce((sum, each) => sum + each.capitals, 0);
  const all = counted.reduce((sum, each) => sum + each.capitals + each.small, 0);
  const [most] = counted.toSorted((a, b) => b.capitals - a.capitals);
  if (!most || all < FEW || capitals * 2 <= all) return [];
  return [
    {
      message: `${Math.round((capitals / all) * 100)}% of the letters are capitals, which raises spam scores.`,
      at: most.paragraph.at(most.paragraph.text.slice(0, 40)),
      hint: "Write sentences; text-transform: uppercase does not count.",
    },
  ];
}

function count(words: string, letters: RegExp): number {
  return words.match(letters)?.length ?? 0;
}

type Spam = readonly (readonly [phrase: RegExp, source: string])[];

function scoredBySpamAssassin(phrases: typeof SPAM_PHRASES): Spam {
  return phrases.map(([phrase, rule]) => [phrase, `SpamAssassin's rule ${rule} looks for it`]);
}

const LISTED: Spam = SPAM_WORDS.map((phrase) => [phrase, "HubSpot's list of words that filters look for has it"]);
const SPAM: Spam = [...scoredBySpamAssassin(SPAM_PHRASES), ...LISTED];
const SPAM_OF_SUBJECTS: Spam = [...scoredBySpamAssassin(SPAM_SUBJECTS), ...SPAM];

function phrasesIn({ text, at }: Wording, phrases: Spam): Finding[] {
  const words = withoutTags(text);
  return phrases.flatMap(([phrase, source]) => {
    const found = phrase.exec(words)?.[0].trim();
    if (found === undefined) return [];
    return [{ message: `"${found}" raises spam scores: ${source}.`, at: at(found), hint: "Say it in another way." }];
  });
}
