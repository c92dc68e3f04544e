import { type OpenTag, scanMarkup } from "../text/markup/scan.js";
import { languageOf } from "../project/language.js";
import type { Template } from "../project/template.js";

/** The defaults of React Email's `<Html>`. */
const REACT_DEFAULTS: Readonly<Record<string, string>> = { lang: "en", dir: "ltr" };

/**
 * Adds the language attributes of template.json to the HTML, where the body doesn't set them itself.
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
    const expected = missing.get(name.toLowerCase());
    if (expected === undefined) continue;
    missing.delete(name.toLowerCase());
    if (engine !== "react" || value !== REACT_DEFAULTS[name]) continue;
    written += html.slice(from, at) + html.slice(at, valueStart) + expected;
    from = valueStart + value.length;
  }
  const added = [...missing].map(([name, expected]) => ` ${name}="${expected}"`).join("");
  return start + added + written + html.slice(from);
}
