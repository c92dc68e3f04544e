import type { SourceFile } from "../template/template.js";
import type { CheckedTemplate } from "./rule.js";

/**
 * The files that a text body was written in, its own first and then the parts that it includes; none where it is derived
 * from the html.
 */
export function textSources({ template, document }: CheckedTemplate): SourceFile[] {
  if (!template.text) return [];
  const parts = [...document.input.sources].filter(([file]) => file.endsWith(".txt"));
  return [template.text, ...parts.map(([file, text]) => ({ file, text }))];
}
