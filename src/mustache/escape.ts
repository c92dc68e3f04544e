const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "/": "&#x2F;",
  "`": "&#x60;",
  "=": "&#x3D;",
};

const SPECIAL = /[&<>"'/`=]/;
const EVERY_SPECIAL = /[&<>"'/`=]/g;

/** Escapes what mustache.js escapes: more than HTML needs, so that the result is safe in any quoted attribute, too. */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(EVERY_SPECIAL, (character) => ESCAPES[character] ?? character) : text;
}
