/** Characters without a picture: of no width, or there only to fill. */
const BLANK =
  /(?:[\s\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point})+/gu;
const SECTION_TAGS = /\{\{\s*[#^/!][^]*?\}\}/g;

/** From how many on they are there to fill. */
const PADDING = 10;

/**
 * What a reader sees of a text, sections' tags left out.
 *
 * @example
 * visibleText(" Hi\u00A0 \u200C{{#a}}there{{/a}} "); // "Hi there"
 */
export function visibleText(text: string): string {
  const said = text.includes("{{") ? text.replace(SECTION_TAGS, "") : text;
  return said.replace(isPlain(said) ? SPACE : BLANK, " ").trim();
}

/** Whether a text has a run of invisible characters that fills a line. */
export function isInvisible(text: string): boolean {
  return !isPlain(text) && RUN.test(text);
}

/** Most texts have nothing but what stands on an English keyboard, where the patterns for all scripts have nothing to find. */
function isPlain(text: string): boolean {
  return /^[ -~\t\r\n]*$/.test(text);
}

const SPACE = /\s+/g;
const RUN = new RegExp(`(?:(?![ \\t\\r\\n])${BLANK.source.slice(0, -1)}[ \\t\\r\\n]*){${PADDING},}`, "u");
