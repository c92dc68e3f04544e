import { endOfBraces } from "./written-tag.js";

/**
 * The offset of a CSS property in the expression of a JSX style: in its own object, or in an object in the same file that
 * it names.
 *
 * @param start Where the expression begins.
 */
export function findStyleKey(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  property: string,
): number | undefined {
  const code = blanked(text, /\/\*[^]*?\*\/|(?<!:)\/\/[^\n]*/g);
  const expression = code.slice(start, end);
  const own = keyOf(expression, property)?.index;
  if (own !== undefined) return start + own;
  const names = blanked(expression, /"[^"\n]*"|'[^'\n]*'/g).match(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g) ?? [];
  for (const name of names.toReversed()) {
    const object = objectAt(code, name.split("."));
    const inner = object === undefined ? undefined : keyOf(membersOf(code, object), property)?.index;
    if (object !== undefined && inner !== undefined) return object + inner;
  }
  return undefined;
}

/** The last key for a CSS property: `fontSize`, `"font-size"`, `WebkitTextSizeAdjust`. */
function keyOf(code: string, property: string): RegExpExecArray | undefined {
  const name = property
    .replaceAll(/[^\w-]/g, "\\$&")
    .replace(/^-/, "")
    .replaceAll("-", "-?");
  return [...code.matchAll(new RegExp(`(?<=[{,]\\s*)(["']?)-?${name}\\1\\s*(?=[:,}])`, "gi"))].at(-1);
}

/** The offset of the object that `styles.button` refers to: `const styles = { button: { … } }`. */
function objectAt(code: string, [name = "", ...members]: readonly string[]): number | undefined {
  const escaped = name.replaceAll("$", "\\$");
  const declared = new RegExp(`\\b(?:const|let|var)\\s+${escaped}\\b[^=;{]*=\\s*(?=\\{)`).exec(code);
  let object = declared ? declared.index + declared[0].length : undefined;
  for (const member of members) {
    if (object === undefined) return undefined;
    const key = keyOf(membersOf(code, object), member);
    const valueAt: number = key ? code.indexOf(":", object + key.index) + 1 : -1;
    const blanks = /^\s*(?=\{)/.exec(code.slice(valueAt))?.[0].length;
    object = key && blanks !== undefined ? valueAt + blanks : undefined;
  }
  return object;
}

/** An object whose nested objects are replaced with spaces, so that offsets stay the same. */
function membersOf(code: string, start: number): string {
  return `{${blanked(code.slice(start + 1, endOfBraces(code, start)), /\{[^{}]*\}/g)}`;
}

function blanked(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (found) => " ".repeat(found.length));
}
