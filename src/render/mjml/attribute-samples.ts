import type { MjmlElement } from "./element.js";
import type { MjmlLibrary } from "./library.js";

/** Attributes that MJML takes for any text, and decides or computes with nevertheless. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  "background-size": ["cover", "37px", "37px 21px"],
  "background-position": ["left top"],
  "background-position-x": ["left"],
  "background-position-y": ["top"],
  hamburger: ["hamburger"],
  mode: ["fixed-height", "fluid-height", "vertical"],
  name: ["facebook"],
  owa: ["desktop"],
};
/** Of such a value MJML computes with the first number; a tag may stand for any part of it. */
const BORDER = /^(?:inner-)?border(?:-(?:left|right|top|bottom))?$/;

/**
 * What a tag in an attribute may be filled with, one value of each kind that MJML tells apart. Empty where it prints any
 * value as it is: colours, addresses, names of fonts.
 */
export function samplesOf({ tagName }: MjmlElement, name: string, { components }: MjmlLibrary): readonly string[] {
  // What stands in mj-all and mj-class is for elements of any kind.
  const types = [components[tagName], ...Object.values(components)].map((component) => component?.allowedAttributes);
  const type = types.find((known) => known && Object.hasOwn(known, name))?.[name] ?? "string";
  const [, kind = type, options = ""] = /^(\w+)\(([^)]*)\)/.exec(type) ?? [];
  if (kind === "boolean") return ["true", "false"];
  if (kind === "integer") return ["37"];
  if (kind === "enum") return options.split(",").filter(Boolean);
  if (kind === "unit" || kind === "unitWithNegative") {
    return options.split(",").flatMap((unit) => (/^(?:px|%|em)$/.test(unit) ? `37${unit}` : unit || []));
  }
  return BORDER.test(name) ? ["7px", "red"] : (COMPUTED[name] ?? []);
}
