import { findStyleKey } from "./style-keys.js";
import type { WrittenAttribute, WrittenTag } from "./written-tag.js";

/**
 * The attribute of a written tag from which an attribute of the compiled html comes: `background-color` of an mj-element
 * for `bgcolor`, `className` of JSX for `class`.
 */
export function attributeOf(tag: WrittenTag, name: string): WrittenAttribute | undefined {
  return firstOf(tag, [name, ...((isMjml(tag) ? MJML_NAMES : JSX_NAMES)[name] ?? [])]);
}

/**
 * Where a tag's style has a property: in `style="…"`, in `style={{ … }}` or an object of the same file that it names, or as an
 * attribute of MJML. A shorthand stands for what it sets.
 *
 * @param text The source of the tag.
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

/** Mustache tags and addresses, in which no property stands, as blanks. */
function withoutTags(value: string): string {
  return value.replaceAll(/\{\{[^]*?\}\}\}?|url\([^)]*\)/gi, (found) => " ".repeat(found.length));
}

/** `className` and `class-name` are one name. */
function firstOf({ attributes }: WrittenTag, names: readonly string[]): WrittenAttribute | undefined {
  const plain = (name: string): string => name.replaceAll(/[-:]/g, "").toLowerCase();
  return names.flatMap((wanted) => attributes.find(({ name }) => plain(name) === plain(wanted)) ?? [])[0];
}

function isMjml({ name }: WrittenTag): boolean {
  return /^mj(?:ml$|-)/i.test(name);
}

type Names = Readonly<Record<string, readonly string[]>>;

/** What html calls by another name than JSX does. Tailwind makes styles of classes. */
const JSX_NAMES: Names = { class: ["className"], for: ["htmlFor"], style: ["className"] };

const BACKGROUND = ["background-color", "inner-background-color", "container-background-color", "background-url"];

/** What html calls by another name than MJML does. */
const MJML_NAMES: Names = {
  class: ["css-class"],
  bgcolor: BACKGROUND.slice(0, 3),
  background: ["background-url"],
  valign: ["vertical-align"],
  src: ["background-url"],
};

/** Attributes of MJML that become a property of a style, where that has another name. */
const MJML_PROPERTIES: Names = {
  background: BACKGROUND,
  "background-color": BACKGROUND,
  "background-image": ["background-url"],
  "text-align": ["align"],
  padding: ["inner-padding", "icon-padding", "text-padding"],
  border: ["inner-border"],
  "border-radius": ["inner-border-radius"],
  // Of a divider.
  "border-top": ["border-color", "border-style", "border-width"],
  "max-width": ["width"],
};
