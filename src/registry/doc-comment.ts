/** Formats a text as a JSDoc comment followed by a line end; an empty text gives an empty string. */
export function docComment(text: string | undefined, indent: string): string {
  if (text === undefined || text.trim() === "") return "";
  const lines = text
    .trim()
    .replaceAll("*/", "*\\/")
    .split(/\r\n|[\r\n\u2028\u2029]/);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */\n`].join("\n");
}
