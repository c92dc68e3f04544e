/**
 * A classic script that puts a value, as JSON, where the page looks for it. JSON within a text of the script: nothing in
 * the value can become code, or a prototype.
 *
 * @example
 * dataScript("contents", { welcome: "Hello" });
 * // (globalThis.lettershopCopy??=new Map).set("contents","{\"welcome\":\"Hello\"}");
 */
export function dataScript(name: string, value: unknown): string {
  return `(globalThis.lettershopCopy??=new Map).set(${quoted(name)},${quoted(JSON.stringify(value))});\n`;
}

/** Also safe between the tags of a page, and where a line separator ends a line. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
