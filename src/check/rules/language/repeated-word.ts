import type { Rule } from "../../rule.js";
import { onceEach } from "../../once-each.js";
import { withoutTags } from "./plain.js";
import { wordingsOf } from "./wordings.js";

/** Words that no good sentence has twice in a row, by language. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  en: "a an and are as at be by can for from has have if in is it of on or our the this to was we will with you your".split(
    " ",
  ),
  de: "und ist mit für ein eine einen einem im auf von wir ihr ihre ihren bei oder zum zur".split(" "),
  fr: "le la les et de des du un une pour avec votre vos dans sur".split(" "),
  es: "el la los las y de del un una para con su sus en por".split(" "),
  it: "il lo gli e di del della un una per con".split(" "),
  nl: "de het een en van voor met uw je in op te".split(" "),
  ar: "في من إلى على عن مع أن هذا هذه".split(" "),
  pt: "o os as e de do da um uma para com por em no na seu sua".split(" "),
  sv: "och att det en ett för med på av till din ditt".split(" "),
  pl: "w na do z i dla od przez oraz jest".split(" "),
};

/** Words that a sentence may well have twice, by language; in those that are named here, any other word of three letters is a slip. */
const TWICE: Readonly<Record<string, string>> = {
  en: "had that very really now there far long many much more again bye chop tut knock hear there ding ring yada blah hush one two three four five six seven eight nine zero hip hop hurray step check test",
  de: "die der das dem den sie ihr uns euch ganz sehr immer nach über durch weg hin her lang toi hopp ruhig piep eins zwei drei",
  fr: "nous vous faire très bien loin tout toute plus même petit vite joli tant deux trois",
  es: "muy así casi luego poco bien más tan uno dos tres",
  it: "via piano molto ora così quasi poi man mano poco bene più uno due tre",
  nl: "zeer heel die dat zij hen heen door een twee drie heel",
};

function patternFor(language: string | undefined, words: readonly string[]): RegExp {
  const known = patterns.get(language ?? "");
  if (known) return known;
  const twice = TWICE[language ?? ""];
  const any = twice === undefined ? "" : `|(?!(?:${twice.replaceAll(" ", "|")})\\s)\\p{L}\\p{Ll}{2,}`;
  const word = `(?:${words.join("|")}${any})`;
  const pattern = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}'’.@/_-])(${word})\\s+\\1(?![\\p{L}\\p{M}\\p{N}'’@/_-])`, "giu");
  patterns.set(language ?? "", pattern);
  return pattern;
}

const patterns = new Map<string, RegExp>();

export const repeatedWord: Rule = {
  id: "repeated-word",
  summary: "A word stands twice in a row.",
  severity: "warning",
  checkTemplate(checked) {
    const language = languageOf(checked.document.first("html")?.attribute("lang"));
    const words = language === undefined ? undefined : WORDS[language];
    if (!words) return [];
    const pattern = patternFor(language, words);
    return onceEach(
      wordingsOf(checked).flatMap(({ text, at }) => {
        const found = Array.from(withoutTags(text).matchAll(pattern), ([all]) => all).find((all) => !isMeant(all));
        if (found === undefined) return [];
        return [
          {
            message: `"${found.replace(/\s+/g, " ")}": the word stands there twice.`,
            at: at(found),
            hint: "Take one of them away.",
          },
        ];
      }),
    );
  },
};

/** English where nothing is said. */
function languageOf(lang: string | undefined): string | undefined {
  if (lang === undefined || lang.trim() === "") return "en";
  return lang.includes("{{") ? undefined : lang.trim().toLowerCase().split("-")[0];
}

/** `IT it` and `Vitamin A a` are two words, and `Bora Bora` is a name. */
function isMeant(found: string): boolean {
  const [first = "", second = ""] = found.split(/\s+/);
  return (
    found.includes("\n") ||
    (first.length > 2 && first === second && /^\p{Lu}/u.test(first) && !isFunctionWord(first)) ||
    /^(\p{L})\1+$/iu.test(first) ||
    (second !== second.toLowerCase() && first !== second) ||
    (first.length > 1 && first === first.toUpperCase() && second !== first)
  );
}

/** `The The` is none of the names. */
function isFunctionWord(word: string): boolean {
  return Object.values(WORDS).some((words) => words.includes(word.toLowerCase()));
}
