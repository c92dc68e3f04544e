import { findStyleKey } from "./style-keys.js";
import type { WrittenAttribute, WrittenTag } from "./written-tag.js";

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
