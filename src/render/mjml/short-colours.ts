import { type TagTable, TOKEN } from "../../mustache/tokens.js";
import { roleOf } from "../sections.js";
import { elementsOf } from "./document.js";
import type { MjmlElement } from "./element.js";
import type { MjmlLibrary } from "./library.js";

/**
 * Expands short colours in Mustache sections, as MJML does for colours that are whole values:
 * `{{#dark}}#000{{/dark}}{{^dark}}#fff{{/dark}}` becomes `{{#dark}}#000000{{/dark}}{{^dark}}#ffffff{{/dark}}`.
 */
export function expandShortColours(document: MjmlElement, { components }: MjmlLibrary, tags: TagTable): void {
  const isColour = (name: string) =>
    Object.values(components).some((component) => component?.allowedAttributes?.[name] === "color");
  for (const element of elementsOf(document)) {
    if (!element.attributes.some(({ name, value }) => SHORT.test(value) && isColour(name))) continue;
    element.attributes = element.attributes.map((attribute) =>
      isColour(attribute.name) ? { ...attribute, value: expanded(attribute.value, tags) } : attribute,
    );
  }
}

const SHORT = /\uE001#\w{3}\uE000/;

function expanded(value: string, tags: TagTable): string {
  const prints = Array.from(value.matchAll(TOKEN)).some(([, number]) => roleOf(tags[Number(number)]) === "prints");
  return prints ? value : value.replaceAll(/(?<=\uE001)#(\w)(\w)(\w)(?=\uE000)/g, "#$1$1$2$2$3$3");
}
