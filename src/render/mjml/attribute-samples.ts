import type { MjmlElement } from "./element.js";
import type { MjmlLibrary } from "./library.js";

/** Attributes for which MJML accepts any value, but which it computes with or decides by. */
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
/** MJML computes with the first number of such a value; a tag may be any part of it. */
const BORDER = /^(?:inner-)?border(?:-(?:left|right|top|bottom))?$/;

/**
 * Sample values for a tag in an attribute, one of each kind that MJML distinguishes. Empty if MJML prints any value
 * unchanged: colours, URLs, font names.
 */
export function samplesOf({ tagName }: MjmlElement, name: string, { components }: MjmlLibrary): readonly string[] {
  // Attributes of mj-all and mj-class apply to elements of any kind.
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
