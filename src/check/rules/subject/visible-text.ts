import { withoutSectionTags } from "../../../mustache/scan.js";
/** Characters that show nothing: spaces, fillers and characters of no width. */
const BLANK =
  /(?:[\s\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point})+/gu;

/** The fewest invisible characters in a row that are padding. */
const PADDING = 10;

/**
 * What recipients see of a text, without the tags of sections.
 *
 * @example
 * visibleText(" Hi\u00A0 \u200C{{#a}}there{{/a}} "); // "Hi there"
 */
export function visibleText(text: string): string {
  const shown = withoutSectionTags(text);
  return shown.replace(isPlain(shown) ? SPACE : BLANK, " ").trim();
}

/** Whether a text contains padding: a run of invisible characters. */
export function isInvisible(text: string): boolean {
  return !isPlain(text) && RUN.test(text);
}

/** Whether a text is plain ASCII, as most are, so that the slow patterns have nothing to find. */
function isPlain(text: string): boolean {
  return /^[ -~\t\r\n]*$/.test(text);
}

const SPACE = /\s+/g;
const RUN = new RegExp(`(?:(?![ \\t\\r\\n])${BLANK.source.slice(0, -1)}[ \\t\\r\\n]*){${PADDING},}`, "u");
