import { visible } from "./visible.js";

/** Characters that Markdown or HTML may interpret as markup, a mention or a link. */
const active = /[\\`*_{}[\]<>()#+!|~&@:$^=-]/g;

/** Escapes text for Markdown, and for HTML within Markdown, on one line. */
export function escaped(text: string): string {
  return visible(text).replace(active, (character) =>
    harmless(character) ? character : `&#${character.codePointAt(0)};`,
  );
}

/** Characters that need no escaping: they only act together with escaped ones, or at the start of a line, where text never is. */
function harmless(character: string): boolean {
  return "()+-!:=".includes(character);
}

/** Formats text as a code span. */
export function code(text: string): string {
  const shown = visible(text);
  const ticks = "`".repeat(longestRun(shown) + 1);
  const space = shown.startsWith("`") || shown.endsWith("`") || shown === "" ? " " : "";
  return `${ticks}${space}${shown}${space}${ticks}`;
}

/** Formats text as a fenced code block, with a fence that the text can't close. */
export function fenced(text: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A collapsible section. */
export function details(summary: string, text: string, isOpen: boolean): string {
  return `<details${isOpen ? " open" : ""}><summary>${escaped(summary)}</summary>\n\n${text}\n\n</details>`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
