import type { Finding, Rule } from "../../rule.js";
import { COMMON_WORDS } from "./common-words.js";
import { saidLanguages, textIn } from "./said-language.js";

export const languageWords: Rule = {
  id: "language-words",
  summary: "The body is written in another language than it says.",
  severity: "warning",
  checkTemplate(checked) {
    return saidLanguages(checked).flatMap(({ language, said, at }): Finding[] => {
      const [wanted = ""] = language.toLowerCase().split("-");
      if (!COMMON_WORDS.has(wanted)) return [];
      const written = languageOf(textIn(checked.document, language), wanted);
      if (written === undefined) return [];
      const message = `${said}, and the text is ${englishNameOf(written)}: screen readers read it with the wrong voice.`;
      return [{ message, at, hint: "Name the language that it is written in." }];
    });
  },
};

/** Made where it is needed: it takes longer than most checks of a template. */
function englishNameOf(language: string): string | undefined {
  return new Intl.DisplayNames("en", { type: "language" }).of(language);
}

/** Words below which names and numbers may be most of a text. */
const FEW = 20;
/** Of a text in any of these languages, at least this part are its common words. */
const SHARE = 0.22;
const FEWEST_DIFFERENT = 6;
/** Languages share some of them: `in` is English, German, Italian and Dutch. */
const MOST_OWN = 0.25;

/** Another language than the one that a text should be in; undefined of what may be in that. */
function languageOf(text: string, wanted: string): string | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const own = commonIn(words, COMMON_WORDS.get(wanted)).length;
  if (words.length < FEW || own > words.length * MOST_OWN) return undefined;
  for (const [language, common] of COMMON_WORDS) {
    const found = commonIn(words, common);
    const isMost = found.length >= words.length * SHARE && own <= found.length * MOST_OWN;
    if (isMost && new Set(found).size >= FEWEST_DIFFERENT) return nearestOf(words, language);
  }
  return undefined;
}

/** Of languages that are near each other, the one with most of its words. */
function nearestOf(words: readonly string[], found: string): string {
  const counts = Array.from(COMMON_WORDS, ([language, common]) => ({
    language,
    count: commonIn(words, common).length,
  }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.language ?? found;
}

function commonIn(words: readonly string[], common: ReadonlySet<string> | undefined): string[] {
  return words.filter((word) => common?.has(word));
}
