import type { SourceFile } from "../project/template.js";
import type { CheckedTemplate } from "./rule.js";

/**
 * The files of a hand-written text body: its own file, then the parts that it includes. Empty if the text is derived from
 * the HTML.
 */
export function textSources({ template, document }: CheckedTemplate): SourceFile[] {
  if (!template.text) return [];
  const parts = [...document.input.sources].filter(([file]) => file.endsWith(".txt"));
  return [template.text, ...parts.map(([file, text]) => ({ file, text }))];
}
