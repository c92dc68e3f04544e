import { readFileSync } from "node:fs";
import { currentRule } from "./former-rules.js";

/**
 * What is written of a rule, in Markdown: what it reports, why, and how to fix it. Undefined where there is no such rule.
 *
 * @example
 * rulePage("image-alt"); // "# image-alt\n\nAn image has no alt text…"
 */
export function rulePage(id: string): string | undefined {
  if (!/^[a-z]+(?:-[a-z]+)*$/.test(id)) return undefined;
  try {
    return readFileSync(new URL(`../../docs/rules/${currentRule(id)}.md`, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}
