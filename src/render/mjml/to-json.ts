import type { MjmlElement } from "./element.js";
import { type MjmlJson, toMjmlValue } from "./library.js";

/** Values to use instead of those written, by where the attribute begins in its element. */
export type AttributeOverride = (element: MjmlElement, name: string, value: string) => string;

/** The tree that MJML's own parser would have made. */
export function toJson(element: MjmlElement, override: AttributeOverride = (_, __, value) => value): MjmlJson {
  const attributes: Record<string, string | boolean> = {};
  for (const { name, value } of element.attributes) {
    if (!Object.hasOwn(attributes, name)) attributes[name] = toMjmlValue(override(element, name, value));
  }
  return {
    tagName: element.tagName,
    attributes,
    ...(element.children.length > 0 && { children: element.children.map((child) => toJson(child, override)) }),
    ...(element.content && element.content.text !== "" && { content: contentOf(element.content.text) }),
  };
}

/**
 * MJML joins its own conditional comments where one ends and the next begins, and takes the end of a raw one for its
 * own: `<!--<![endif]-->` would lose all but its first four characters. A comment between them prevents that.
 */
function contentOf(text: string): string {
  return text.endsWith("<![endif]-->") ? `${text}<!-- -->` : text;
}
