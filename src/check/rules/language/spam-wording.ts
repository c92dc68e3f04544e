import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { paragraphsOf, wordingsOf, type Wording } from "../../lib/texts.js";

export const spamWording: BuiltInRule = {
  id: "spam-wording",
  severity: "info",
  isOptional: true,
  summary: "The subject or the body is written like spam, which raises spam scores.",
  details:
    "The subject or the body is written like spam: phrases that filters look for, capitals, a subject with several " +
    "exclamation marks or emoji, or one that begins with `Re:` or `Fwd:`. The rule is off unless the configuration " +
    'has `check: { extends: "all" }` or sets its level.',
  why:
    "[SpamAssassin](https://github.com/apache/spamassassin/tree/trunk/rules) scores each of these, and the message " +
    "names its rule (`20_phrases.cf`, `20_body_tests.cf` and `20_head_tests.cf`; `SUBJ_ALL_CAPS`, " +
    "`UPPERCASE_50_75`, `PLING_QUERY`). One phrase alone does not put an email into the spam folder, but several " +
    "can, or one with a new domain. It is a note. Only the template's own words count, not values: `Re: " +
    "{{ticket.subject}}` may be a reply.",
  fix: "Rephrase it. Capitals from `text-transform: uppercase` don't count.",
  examples: {
    wrong: [
      { "order/order.html": "<p>Your order.</p>", "order/template.json": '{ "subject": ‸"Re: Your order" }' },
      { "order/order.html": "<p>Your order.</p>", "order/template.json": '{ "subject": ‸"Your order shipped!!!" }' },
    ],
    right: [
      "<p>Your order left our warehouse this morning.</p>",
      '<p style="text-transform: uppercase">Your order left our warehouse</p>',
    ],
  },
  *checkTemplate(checked) {
    const [subject, ...others] = wordingsOf(checked);
    if (subject) {
      yield* subjectMarks(subject);
      yield* phrasesIn(subject, { ...SUBJECTS, ...PHRASES });
    }
    yield* bodyCapitals(checked);
    for (const wording of others) yield* phrasesIn(wording, PHRASES);
  },
};

const EMOJI =
  /\p{Regional_Indicator}{2}|(?!\p{Emoji_Modifier})\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/gu;
const MOST_EMOJI = 2;
/** What email clients put before the subject of a reply or a forwarded email, unless a tag after it may print that subject. */
const REPLY = /^\s*(?:re|fwd?|aw|wg)\s*:(?!\s*\{\{)/i;

function* subjectMarks({ text, words, at }: Wording): Generator<Finding> {
  const emoji = words.match(EMOJI)?.length ?? 0;
  const [reply] = REPLY.exec(text) ?? [];
  const problems = [
    isAllCapitals(words) && ["is all in capitals", "Write it as a sentence."],
    /[!?]{2,}|[!?].*!|!.*\?/.test(words) && ["has several exclamation or question marks", "Use one at most."],
    emoji > MOST_EMOJI && [`has ${emoji} emoji`, "Use one at most: screen readers read out the name of each."],
    reply !== undefined && [`begins with "${reply.trim()}" like a reply`, "Remove it."],
  ];
  for (const problem of problems)
    if (problem)
      yield { message: `The subject ${problem[0]}, which raises spam scores.`, at: at(text), hint: problem[1] };
}

/** At least two words and ten letters: `RE: SEPA` and `GDPR` are names. */
function isAllCapitals(words: string): boolean {
  return count(words, /\p{Lu}/gu) >= 10 && count(words, /\p{Ll}/gu) === 0 && /\p{L}{2,}\P{L}+\p{L}{2,}/u.test(words);
}

/** With fewer letters, their share means nothing. */
const FEWEST = 100;

function* bodyCapitals({ document }: CheckedTemplate): Generator<Finding> {
  const paragraphs = paragraphsOf(document);
  const all = paragraphs.map(({ words }) => words).join(" ");
  const [capitals, small] = [count(all, /\p{Lu}/gu), count(all, /\p{Ll}/gu)];
  const first = paragraphs.find(({ words }) => count(words, /\p{Lu}/gu) > count(words, /\p{Ll}/gu));
  if (!first || capitals + small < FEWEST || capitals <= small) return;
  yield {
    message: `${Math.round((capitals / (capitals + small)) * 100)}% of the letters are capitals, which raises spam scores.`,
    at: first.at(first.text.slice(0, 40)),
    hint: "Write in sentence case. Capitals from `text-transform: uppercase` don't count.",
  };
}

function count(words: string, letters: RegExp): number {
  return words.match(letters)?.length ?? 0;
}

function* phrasesIn({ words, at }: Wording, phrases: Readonly<Record<string, RegExp>>): Generator<Finding> {
  for (const [rule, phrase] of Object.entries(phrases)) {
    const match = phrase.exec(words)?.[0].trim();
    if (match === undefined) continue;
    yield {
      message: `"${match}" raises spam scores (SpamAssassin's rule ${rule}).`,
      at: at(match),
      hint: "Rephrase it.",
    };
  }
}

/** Phrases that SpamAssassin scores and a company may use, by the names of its rules: https://spamassassin.apache.org/tests_3_3_x.html */
const PHRASES: Readonly<Record<string, RegExp>> = {
  DEAR_FRIEND: /\bdear friends?\b/i,
  DEAR_SOMETHING: /\bdear (?:sirs?|madam|investors?|candidates?|winner|beneficiary|travell?er)\b/i,
  GUARANTEED_100_PERCENT: /\b(?:100 ?%|one hundred percent) guaranteed\b/i,
  MONEY_BACK: /\bmoney[- ]back guarantee\b/i,
  ACT_NOW_CAPS: /\bA(?:CT|ct) N(?:OW|ow)\b/,
  LOW_PRICE: /\b(?:lowest|best) prices? (?:guaranteed|ever|on the)\b|\blow(?:est)? prices?!/i,
  FREE_QUOTE_INSTANT: /\bfree (?:instant|no[- ]obligation) quotes?\b|\bno[- ]obligation quotes?\b/i,
  URG_BIZ: /\burgent.{0,16}\b(?:assistance|business|matter|confidential|notice|proposal|reply|request|response)\b/i,
  UNCLAIMED_MONEY: /\bunclaimed (?:assets?|accounts?|money|balance|funds?|prizes?|rewards?|payments?|deposits?)\b/i,
  FIN_FREE: /\bfinancial(?:ly)? (?:freedom|free|independence)\b/i,
  BAD_CREDIT: /\b(?:bad|poor) credit\b(?! card)/i,
  MARKETING_PARTNERS: /\bmarketing partners?\b/i,
  JOIN_MILLIONS: /\bjoin (?:millions|thousands)\b/i,
  RISK_FREE: /\brisk[- ]free\b/i,
  MONEY_LOTTERY: /\blucky winner\b|\byou(?:['’]ve| have)? won (?:a|an|the|\$|€|£)/i,
  ONE_TIME: /\bone[- ]time (?:charge|investment|promotion)\b/i,
};

/** Phrases that it scores in a subject only. */
const SUBJECTS: Readonly<Record<string, RegExp>> = {
  SUBJ_DOLLARS: /^\s*\$\d[\d.,]*/,
  SUBJ_BUY: /^\s*buy(?:ing)? /i,
  SUBJ_YOUR_FAMILY: /\byour family\b/i,
  SUBJ_AS_SEEN: /\bas seen (?:on|in)\b/i,
  GAPPY_SUBJECT: /\b(?:\p{L}[.\-_* ]){4,}\p{L}\b/u,
};
