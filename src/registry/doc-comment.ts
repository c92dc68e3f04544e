/** A text as a JSDoc comment with a line end behind it; nothing for no text. */
export function docComment(text: string | undefined, indent: string): string {
  if (text === undefined || text.trim() === "") return "";
  const lines = text
    .trim()
    .replaceAll("*/", "*\\/")
    .split(/\r\n|[\r\n\u2028\u2029]/);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */\n`].join("\n");
}
