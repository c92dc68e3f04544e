import type { Scheme } from "../state/view.js";

/** The colour scheme that an email is shown in. Clients that force dark mode request the light one. */
export type Face = "light" | "dark";

export function faceOf(scheme: Scheme): Face {
  return scheme === "dark" ? "dark" : "light";
}

/** Media features that are always or never true, wherever an email is shown. */
const ALWAYS = "(min-width: 0)";
const NEVER = "(min-width: 1e7px)";

const GAP = String.raw`(?:\s|/\*[\s\S]*?\*/)*`;
const SKIPPED = String.raw`"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|/\*[\s\S]*?\*/`;
const FEATURE = String.raw`\(${GAP}prefers-color-scheme${GAP}(?::${GAP}([\w-]+)${GAP})?\)`;
const DECLARATION = String.raw`(?<![\w-])(color-scheme${GAP}:)([^;{}()!]*)`;

const queries = new RegExp(FEATURE, "gi");
const styles = new RegExp(`${SKIPPED}|${FEATURE}|${DECLARATION}`, "gi");

/**
 * A media query as it reads in a given colour scheme.
 *
 * @example
 * chooseInQuery("screen and (prefers-color-scheme: dark)", "dark"); // "screen and (min-width: 0)"
 */
export function chooseInQuery(query: string, face: Face): string {
  return query.replace(queries, (_, wanted?: string) => answer(wanted, face));
}

/** The same for a style sheet or a style attribute. Strings and comments stay unchanged. */
export function chooseInStyles(css: string, face: Face): string {
  if (!/color-scheme/i.test(css)) return css;
  return css.replace(styles, (match: string, wanted?: string, property?: string, schemes?: string) => {
    if (property !== undefined) return `${property} ${chooseScheme(schemes ?? "", face)}`;
    return match.startsWith("(") ? answer(wanted, face) : match;
  });
}

/**
 * The scheme to use of those an element supports: of the value of `color-scheme`, or of the meta element of that name.
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
