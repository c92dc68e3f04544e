import { withoutSectionTags } from "../../../mustache/scan.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";

const found = new WeakMap<EmailDocument, ReadonlyMap<EmailElement, string>>();

/** Elements that directly contain readable text, each with the first such text. */
export function readTexts(document: EmailDocument): ReadonlyMap<EmailElement, string> {
  const known = found.get(document);
  if (known) return known;
  const texts = new Map<EmailElement, string>();
  for (const { parent, text } of document.texts) {
    if (!texts.has(parent) && !UNSTYLED.has(parent.name) && READ.test(withoutSectionTags(text)))
      texts.set(parent, text);
  }
  found.set(document, texts);
  return texts;
}

/** Letters or digits, also in variables; not just separators. */
const READ = /[\p{L}\p{N}]/u;

const UNSTYLED: ReadonlySet<string> = new Set(["style", "script", "title", "option", ""]);

/** The beginning of a text for a message, in one of the variants that recipients see. */
export function sampleOf(text: string): string {
  const first = text.replaceAll(/(\{\{\/[^}]*\}\})\s*\{\{\s*\^\s*([^}]*?)\s*\}\}[^]*?\{\{\s*\/\s*\2\s*\}\}/g, "$1");
  const words = withoutSectionTags(first).replaceAll(/\s+/g, " ").trim();
  return words.length > 30 ? `${words.slice(0, 29)}…` : words;
}
