import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

let pages: Readonly<Record<string, string>> | undefined;

/**
 * A rule's page in Markdown: what it reports, why, and how to fix it. Undefined for an unknown rule.
 *
 * @example
 * rulePage("image-alt"); // "# image-alt\n\nAn image has no alt text…"
 */
export function rulePage(id: string): string | undefined {
  pages ??= read();
  return Object.hasOwn(pages, id) ? pages[id] : undefined;
}

/** The first sentence of a rule's page. */
export function ruleSummary(id: string): string {
  const [, first = ""] = (rulePage(id) ?? "").split("\n\n");
  const [sentence = id] = /^[^]*?(?=[.:;](?:\s|$))/.exec(first) ?? [];
  return `${sentence.replaceAll("\n", " ")}.`;
}

function read(): Readonly<Record<string, string>> {
  return JSON.parse(brotliDecompressSync(readFileSync(new URL("rule-pages.br", import.meta.url))).toString());
}
