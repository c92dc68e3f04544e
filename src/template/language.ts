import { TOKEN } from "../mustache/tokens.js";
import type { Metadata } from "./template.js";

/** What the html element says about the language of a body. */
interface Language {
  readonly lang?: string;
  readonly dir?: "ltr" | "rtl";
}

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT: readonly string[] = [
  "Adlm",
  "Arab",
  "Hebr",
  "Mand",
  "Mend",
  "Nkoo",
  "Rohg",
  "Samr",
  "Syrc",
  "Thaa",
];

/**
 * What `locale` and `direction` of template.json say: a language that is written from right to left has its direction.
 *
 * @example
 * languageOf({ locale: "ar-EG" }); // { lang: "ar-EG", dir: "rtl" }
 */
export function languageOf({ locale, direction }: Metadata): Language {
  const lang = locale === undefined ? undefined : (Intl.getCanonicalLocales(locale)[0] ?? locale);
  const isRightToLeft = lang !== undefined && RIGHT_TO_LEFT.includes(new Intl.Locale(lang).maximize().script ?? "");
  const dir = direction ?? (isRightToLeft ? "rtl" : undefined);
  return { ...(lang !== undefined && { lang }), ...(dir !== undefined && { dir }) };
}

/** An attribute that says something else than template.json. */
interface LanguageConflict<Written> {
  readonly message: string;
  readonly attribute: Written;
}

/** Where an element's own attributes contradict template.json; what a tag fills in is not known, and right. */
export function languageConflicts<Written extends { readonly name: string; readonly value: string }>(
  attributes: readonly Written[],
  metadata: Metadata,
): LanguageConflict<Written>[] {
  return Object.entries(languageOf(metadata)).flatMap(([name, wanted]) => {
    const attribute = attributes.find((each) => each.name.toLowerCase() === name);
    if (!attribute || attribute.value.search(TOKEN) >= 0 || agree(attribute.value, wanted)) return [];
    const key = name === "lang" ? "locale" : "direction";
    const said = metadata[key] === undefined ? `its locale is ${metadata.locale}` : `its ${key} is ${metadata[key]}`;
    const message = `The body says ${name}="${attribute.value}", and template.json that ${said}.`;
    return [{ message, attribute }];
  });
}

/** `de` and `de-AT` are no contradiction. */
function agree(written: string, wanted: string): boolean {
  const [a, b] = [`${written.toLowerCase()}-`, `${wanted.toLowerCase()}-`];
  return a.startsWith(b) || b.startsWith(a);
}
