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
};

export const repeatedWord: Rule = {
  id: "repeated-word",
  summary: "A word stands twice in a row.",
  severity: "warning",
  checkTemplate(checked) {
    const language = languageOf(checked.document.first("html")?.attribute("lang"));
    const words = language === undefined ? undefined : WORDS[language];
    if (!words) return [];
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}'’-])(${words.join("|")})\\s+\\1(?![\\p{L}\\p{N}'’-])`, "iu");
    return onceEach(
      wordingsOf(checked).flatMap(({ text, at }) => {
        const found = pattern.exec(withoutTags(text));
        if (!found || isMeant(found[0])) return [];
        return [
          {
            message: `"${found[0].replace(/\s+/g, " ")}": the word stands there twice.`,
            at: at(found[0]),
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

/** `IT it` and `Vitamin A a` are two words. */
function isMeant(found: string): boolean {
  const [first = "", second = ""] = found.split(/\s+/);
  return (
    found.includes("\n") ||
    (second !== second.toLowerCase() && first !== second) ||
    (first.length > 1 && first === first.toUpperCase() && second !== first)
  );
}
