import type { Finding, Rule } from "../../rule.js";
import { withoutTags } from "../language/plain.js";
import { allWords, type Wording, wordingsOf } from "../language/wordings.js";
import { onceEach } from "../../once-each.js";
import { SPAM_PHRASES, SPAM_SUBJECTS, SPAM_WORDS } from "./spam-phrases.js";

export const spamPhrase: Rule = {
  id: "spam-phrase",
  summary: "A text has wording that spam filters count against a mail.",
  severity: "warning",
  checkTemplate(checked) {
    const [subject, ...others] = wordingsOf(checked);
    // Next to no text has any: each is looked for in all of them at once.
    const known = SPAM.filter(([phrase]) => phrase.test(allWords(checked)));
    return onceEach([
      ...(subject ? check(subject, SPAM_OF_SUBJECTS) : []),
      ...(known.length === 0 ? [] : others.flatMap((wording) => check(wording, known))),
    ]);
  },
};

type Spam = readonly (readonly [phrase: RegExp, source: string])[];

function scoredBySpamAssassin(phrases: typeof SPAM_PHRASES): Spam {
  return phrases.map(([phrase, rule]) => [phrase, `SpamAssassin's rule ${rule} looks for it`]);
}

const LISTED: Spam = SPAM_WORDS.map((phrase) => [phrase, "HubSpot's list of words that filters look for has it"]);
const SPAM: Spam = [...scoredBySpamAssassin(SPAM_PHRASES), ...LISTED];
const SPAM_OF_SUBJECTS: Spam = [...scoredBySpamAssassin(SPAM_SUBJECTS), ...SPAM];

function check({ text, at }: Wording, phrases: Spam): Finding[] {
  const words = withoutTags(text);
  return phrases.flatMap(([phrase, source]) => {
    const found = phrase.exec(words)?.[0].trim();
    if (found === undefined) return [];
    return [{ message: `"${found}" counts against a mail: ${source}.`, at: at(found), hint: "Say it in another way." }];
  });
}
