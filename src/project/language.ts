import { TOKEN } from "../mustache/tokens.js";
import type { Metadata } from "./template.js";

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = ["Adlm", "Arab", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"];

/**
 * The language attributes from `locale` and `direction` of template.json. A right-to-left language implies its direction.
 */
export function languageOf({ locale, direction }: Metadata): { readonly lang?: string; readonly dir?: "ltr" | "rtl" } {
  const lang = locale === undefined ? undefined : (Intl.getCanonicalLocales(locale)[0] ?? locale);
  const isRightToLeft = lang !== undefined && RIGHT_TO_LEFT.includes(new Intl.Locale(lang).maximize().script ?? "");
  const dir = direction ?? (isRightToLeft ? "rtl" : undefined);
  return { ...(lang !== undefined && { lang }), ...(dir !== undefined && { dir }) };
}

/** Where an element's own attributes contradict template.json. A value with a tag never does: it is unknown. */
export function languageConflicts<Written extends { readonly name: string; readonly value: string }>(
  attributes: readonly Written[],
  metadata: Metadata,
): { readonly message: string; readonly attribute: Written }[] {
  return Object.entries(languageOf(metadata)).flatMap(([name, expected]) => {
    const attribute = attributes.find((each) => each.name.toLowerCase() === name);
    if (!attribute || attribute.value.search(TOKEN) >= 0 || agree(attribute.value, expected)) return [];
    const key = name === "lang" ? "locale" : "direction";
    const setting = metadata[key] === undefined ? `its locale is ${metadata.locale}` : `its ${key} is ${metadata[key]}`;
    const message = `The body has ${name}="${attribute.value}", but template.json says that ${setting}.`;
    return [{ message, attribute }];
  });
}

/** `de` and `de-AT` don't contradict each other. */
function agree(written: string, expected: string): boolean {
  const [a, b] = [`${written.toLowerCase()}-`, `${expected.toLowerCase()}-`];
  return a.startsWith(b) || b.startsWith(a);
}
