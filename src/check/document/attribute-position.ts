import { endOfBraces, type WrittenAttribute, type WrittenTag } from "./written-tag.js";

/**
 * The attribute in the source tag that an attribute of the compiled HTML comes from: `bgcolor` comes from MJML's
 * `background-color`, `class` from JSX's `className`.
 */
export function attributeOf(tag: WrittenTag, name: string): WrittenAttribute | undefined {
  return firstOf(tag, [name, ...((isMjml(tag) ? MJML_NAMES : JSX_NAMES)[name] ?? [])]);
}

/**
 * The offset of a CSS property in a tag's style: in `style="…"`, in `style={{ … }}` or an object in the same file that
 * it names, or as an MJML attribute. Falls back to a shorthand that sets the property.
 *
 * @param text The file that contains the tag.
 */
export function styleOffset(tag: WrittenTag, text: string, property: string): number | undefined {
  const parts = property.toLowerCase().split("-");
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join("-");
    const offset = name === "" ? undefined : propertyOffset(tag, text, name);
    if (offset !== undefined) return offset;
  }
  return undefined;
}

function propertyOffset(tag: WrittenTag, text: string, property: string): number | undefined {
  if (isMjml(tag)) return firstOf(tag, [property, ...(MJML_PROPERTIES[property] ?? [])])?.start;
  const style = firstOf(tag, ["style"]);
  if (!style) return undefined;
  const { value, valueStart, isExpression } = style;
  if (isExpression === true) return findStyleKey(text, { start: valueStart, end: valueStart + value.length }, property);
  const declared = new RegExp(`(?<![\\w-])${property.replaceAll(/[^\w-]/g, "\\$&")}(?=\\s*:)`, "gi");
  const last = [...withoutTags(value).matchAll(declared)].at(-1);
  return last && valueStart + last.index;
}

/** Replaces Mustache tags and URLs with spaces, because a colon in them does not follow a property. */
function withoutTags(value: string): string {
  return value.replaceAll(/\{\{[^]*?\}\}\}?|url\([^)]*\)/gi, (found) => " ".repeat(found.length));
}

/** Treats `className` and `class-name` as the same name. */
function firstOf({ attributes }: WrittenTag, names: readonly string[]): WrittenAttribute | undefined {
  const plain = (name: string): string => name.replaceAll(/[-:]/g, "").toLowerCase();
  return names.flatMap((wanted) => attributes.find(({ name }) => plain(name) === plain(wanted)) ?? [])[0];
}

function isMjml({ name }: WrittenTag): boolean {
  return /^mj(?:ml$|-)/i.test(name);
}

type Names = Readonly<Record<string, readonly string[]>>;

/** JSX names that differ from HTML. Tailwind turns classes into styles. */
const JSX_NAMES: Names = { class: ["className"], for: ["htmlFor"], style: ["className"] };

const BACKGROUND = ["background-color", "inner-background-color", "container-background-color", "background-url"];

/** MJML names that differ from HTML. */
const MJML_NAMES: Names = {
  class: ["css-class"],
  bgcolor: BACKGROUND.slice(0, 3),
  background: ["background-url"],
  valign: ["vertical-align"],
  src: ["background-url"],
};

/** MJML attributes that become a CSS property with a different name. */
const MJML_PROPERTIES: Names = {
  background: BACKGROUND,
  "background-color": BACKGROUND,
  "background-image": ["background-url"],
  "text-align": ["align"],
  padding: ["inner-padding", "icon-padding", "text-padding"],
  border: ["inner-border"],
  "border-radius": ["inner-border-radius"],
  // For `mj-divider`.
  "border-top": ["border-color", "border-style", "border-width"],
  "max-width": ["width"],
};

/**
 * The offset of a CSS property in the expression of a JSX style: in its own object, or in an object in the same file that
 * it names.
 *
 * @param start Where the expression begins.
 */
function findStyleKey(
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
