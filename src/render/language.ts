import { type Attribute, type OpenTag, scanMarkup } from "../markup/scan.js";
import { TOKEN } from "../mustache/tokens.js";
import type { Metadata, Template } from "../template/template.js";

/** What the html element says about the language of a body. */
export interface Language {
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

/** What React Email's `<Html>` says where nobody said anything. */
const REACT_DEFAULTS: Readonly<Record<string, string>> = { lang: "en", dir: "ltr" };

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
export interface LanguageConflict {
  readonly message: string;
  readonly attribute: Attribute;
}

/** Where an element's own attributes contradict template.json; what a tag fills in is not known, and right. */
export function languageConflicts(attributes: readonly Attribute[], metadata: Metadata): LanguageConflict[] {
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

/**
 * Html that says what template.json says of its language, where the body says nothing itself.
 *
 * @example
 * withLanguage("<html><body></body></html>", template); // '<html lang="de"><body></body></html>'
 */
export function withLanguage(html: string, { metadata, engine }: Pick<Template, "metadata" | "engine">): string {
  const missing = new Map<string, string>(Object.entries(languageOf(metadata)));
  const pieces = missing.size > 0 ? scanMarkup(html).pieces : [];
  const element = pieces.find((piece): piece is OpenTag => piece.kind === "open" && piece.name === "html");
  if (!element) return html;
  let written = "";
  let from = element.start + "<html".length;
  const start = html.slice(0, from);
  for (const { name, value, start: at, valueStart } of element.attributes) {
    const wanted = missing.get(name.toLowerCase());
    if (wanted === undefined) continue;
    missing.delete(name.toLowerCase());
    if (engine !== "react" || value !== REACT_DEFAULTS[name]) continue;
    written += html.slice(from, at) + html.slice(at, valueStart) + wanted;
    from = valueStart + value.length;
  }
  const added = [...missing].map(([name, wanted]) => ` ${name}="${wanted}"`).join("");
  return start + added + written + html.slice(from);
}
