/**
 * A classic script that stores a value where the page looks for it. The value is JSON inside a string, so nothing in it
 * can become code or a prototype.
 *
 * @example
 * dataScript("contents", { welcome: "Hello" });
 * // (globalThis.lettershopCopy??=new Map).set("contents","{\"welcome\":\"Hello\"}");
 */
export function dataScript(name: string, value: unknown): string {
  return `(globalThis.lettershopCopy??=new Map).set(${quoted(name)},${quoted(JSON.stringify(value))});\n`;
}

/** Also safe inside a `<script>` element, and where line separators end a line. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
