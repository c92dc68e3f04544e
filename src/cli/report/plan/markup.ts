import { visible } from "./visible.js";

/** What Markdown or html would take for markup, a mention of somebody or a link. */
const active = /[\\`*_{}[\]<>()#+!|~&@:$^=-]/g;

/** A text as it is, in Markdown, in html within Markdown, and in a row. */
export function escaped(text: string): string {
  return visible(text).replace(active, (character) =>
    harmless(character) ? character : `&#${character.codePointAt(0)};`,
  );
}

/** Marks that mean something only together with others that are escaped, or at the beginning of a row, where there is none. */
function harmless(character: string): boolean {
  return "()+-!:=".includes(character);
}

/** A text in a code span. */
export function code(text: string): string {
  const shown = visible(text);
  const ticks = "`".repeat(longestRun(shown) + 1);
  const space = shown.startsWith("`") || shown.endsWith("`") || shown === "" ? " " : "";
  return `${ticks}${space}${shown}${space}${ticks}`;
}

/** Lines in a fence that nothing in them ends. */
export function fenced(text: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A part that a click opens. */
export function details(summary: string, text: string, isOpen: boolean): string {
  return `<details${isOpen ? " open" : ""}><summary>${escaped(summary)}</summary>\n\n${text}\n\n</details>`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
