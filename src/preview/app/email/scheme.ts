import type { Scheme } from "../state/view.js";

/** Which of its two faces an email shows: a client that darkens by force asks for the light one. */
export type Face = "light" | "dark";

export function faceOf(scheme: Scheme): Face {
  return scheme === "dark" ? "dark" : "light";
}

/** Media features that are always so and never so, wherever an email is shown. */
const ALWAYS = "(min-width: 0)";
const NEVER = "(min-width: 1e7px)";

const GAP = String.raw`(?:\s|/\*[\s\S]*?\*/)*`;
const SKIPPED = String.raw`"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|/\*[\s\S]*?\*/`;
const FEATURE = String.raw`\(${GAP}prefers-color-scheme${GAP}(?::${GAP}([\w-]+)${GAP})?\)`;
const DECLARATION = String.raw`(?<![\w-])(color-scheme${GAP}:)([^;{}()!]*)`;

const queries = new RegExp(FEATURE, "gi");
const styles = new RegExp(`${SKIPPED}|${FEATURE}|${DECLARATION}`, "gi");

/**
 * A media query as it reads where the reader's scheme is this one.
 *
 * @example
 * chooseInQuery("screen and (prefers-color-scheme: dark)", "dark"); // "screen and (min-width: 0)"
 */
export function chooseInQuery(query: string, face: Face): string {
  return query.replace(queries, (_, wanted?: string) => answer(wanted, face));
}

/** A style sheet, or the text of a style attribute, as the same. What its strings and comments say stays. */
export function chooseInStyles(css: string, face: Face): string {
  if (!/color-scheme/i.test(css)) return css;
  return css.replace(styles, (found: string, wanted?: string, property?: string, schemes?: string) => {
    if (property !== undefined) return `${property} ${chooseScheme(schemes ?? "", face)}`;
    return found.startsWith("(") ? answer(wanted, face) : found;
  });
}

/**
 * What is used of the schemes that an element supports: the value of `color-scheme`, and of the meta element of that name.
 *
 * @example
 * chooseScheme("light dark", "dark"); // "dark"
 * chooseScheme("light", "dark"); // "light"
 */
export function chooseScheme(value: string, face: Face): string {
  return value
    .toLowerCase()
    .split(/[\s,]+/)
    .includes(face)
    ? face
    : value.trim();
}

function answer(wanted: string | undefined, face: Face): string {
  return wanted === undefined || wanted.toLowerCase() === face ? ALWAYS : NEVER;
}
