import { type OpenTag, scanMarkup } from "../markup/scan.js";
import { languageOf } from "../template/language.js";
import type { Template } from "../template/template.js";

/** What React Email's `<Html>` says where nobody said anything. */
const REACT_DEFAULTS: Readonly<Record<string, string>> = { lang: "en", dir: "ltr" };

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
