import { nearest } from "../../nearest.js";

/** RFC 5646, without the few tags that are older than it. */
const TAG =
  /^(?:[a-z]{2,3}(?:-[a-z]{3}){0,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?$/i;
const OF_ONES_OWN = /^[ix]-/i;

/**
 * Whether a text names a language as html does.
 *
 * @example
 * isLanguageTag("pt-BR"); // true
 * isLanguageTag("english"); // false
 * isLanguageTag("en_US"); // false
 */
export function isLanguageTag(text: string): boolean {
  if (OF_ONES_OWN.test(text)) return true;
  if (!TAG.test(text)) return false;
  const [language = ""] = text.toLowerCase().split("-");
  // Of the languages with three letters, there are some that are not known here.
  return language.length > 2 ? shorterOf(language) === undefined : CODES.has(language);
}

/**
 * The tag that somebody meant who wrote a name, or a sign that does not belong there.
 *
 * @example
 * languageTagFor("english"); // "en"
 * languageTagFor("en_US"); // "en-US"
 *
 * @param mostSlips How many letters of a longer name may be wrong.
 */
export function languageTagFor(text: string, mostSlips = 1): string | undefined {
  const dashed = text
    .trim()
    .replaceAll(/[_\s]+/g, "-")
    .replaceAll(/-{2,}/g, "-")
    .replaceAll(/^-|-$/g, "");
  if (dashed !== text && isLanguageTag(dashed)) return dashed;
  if (TAG.test(dashed) && shorterOf(dashed.split("-")[0] ?? "") !== undefined)
    return Intl.getCanonicalLocales(dashed)[0];
  if (text.length < 4) return undefined;
  const names = codesByName();
  const name = nearest(text.toLowerCase(), names.keys(), text.length < 6 ? 0 : mostSlips);
  return name === undefined ? undefined : names.get(name);
}

/** The code of two letters that html wants in the place of one with three: `en` for `eng`. */
function shorterOf(language: string): string | undefined {
  if (!/^[a-z]{3}$/i.test(language) || MEMBERS.has(language.toLowerCase())) return undefined;
  const [canonical = ""] = Intl.getCanonicalLocales(language);
  return canonical.length === 2 ? canonical : undefined;
}

/** Languages that are one of several under a code of two letters, and may be named by themselves. */
const MEMBERS: ReadonlySet<string> = new Set(
  "als arb azj cmn ekk gug ike khk knn lvs npi ory pes plt prs quz swh uzn ydd zsm".split(" "),
);

/** The languages of two letters, those with a newer code included (ISO 639-1). */
const CODES: ReadonlySet<string> = new Set(
  (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el " +
    "en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it " +
    "iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo " +
    "mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh " +
    "si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh " +
    "yi yo za zh zu"
  ).split(" "),
);

/** The codes by the languages' names; of an old one and a newer one, the newer. */
function codesByName(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames("en", { type: "language" });
  const current = [...CODES].filter((code) => Intl.getCanonicalLocales(code)[0] === code);
  return new Map(current.map((code) => [(names.of(code) ?? code).toLowerCase(), code]));
}
