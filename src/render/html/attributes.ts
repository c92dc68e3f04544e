import type { Attribute, OpenTag } from "../../text/markup/scan.js";

export function attributeOf(element: OpenTag, name: string): Attribute | undefined {
  return element.attributes.find((attribute) => attribute.name.toLowerCase() === name);
}
