import type { Attribute } from "../../text/markup/scan.js";
import { SITE_ATTRIBUTE } from "../../text/markup/scan.js";
import type { MjmlElement } from "./element.js";
import { type MjmlJson, toMjmlValue } from "./library.js";

/**
 * Builds the tree that MJML's own parser would build.
 *
 * @param valueOf Returns an attribute's value; by default, as written.
 */
export function toJson(element: MjmlElement, valueOf = ({ value }: Attribute): string => value): MjmlJson {
  const attributes: Record<string, string | boolean> = element.site ? { [SITE_ATTRIBUTE]: element.site } : {};
  for (const attribute of element.attributes) {
    if (!Object.hasOwn(attributes, attribute.name)) attributes[attribute.name] = printable(element, valueOf(attribute));
  }
  return {
    tagName: element.tagName,
    attributes,
    ...(element.children.length > 0 && { children: element.children.map((child) => toJson(child, valueOf)) }),
    ...(element.content && element.content.text !== "" && { content: contentOf(element.content.text) }),
    ...(element.isBareTag && { isBareTag: element.isBareTag }),
    ...(element.gapIn && { gapIn: element.gapIn }),
  };
}

/** MJML prints values in double quotes without escaping, except those that it parses itself. */
function printable({ tagName }: MjmlElement, value: string): string | boolean {
  return toMjmlValue(tagName === "mj-selector" ? value : value.replaceAll('"', "&quot;"));
}

/**
 * MJML joins its own adjacent conditional comments, and mistakes the end of a raw one for its own: of `<!--<![endif]-->`,
 * only the first four characters would be left. A comment between them prevents that.
 */
function contentOf(text: string): string {
  return text.endsWith("<![endif]-->") ? `${text}<!-- -->` : text;
}
