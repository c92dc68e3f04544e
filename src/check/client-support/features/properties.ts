import type { Feature } from "../data.js";

const SIDES = ["top", "right", "bottom", "left"];
const LOGICAL_SIDES = ["block-start", "block-end", "inline-start", "inline-end"];
const AXES = ["inline", "block"];
const LINE = ["width", "style", "color"];

/** Each with each: `border-top-width`. */
function names(...parts: readonly (string | readonly string[])[]): string[] {
  return parts.reduce<string[]>(
    (done, part) => done.flatMap((start) => [part].flat().map((end) => (start ? `${start}-${end}` : end))),
    [""],
  );
}

/** The features that are about properties of other names than their own. Any other `css-NAME` is the property NAME. */
const PROPERTIES: Partial<Record<Feature, readonly string[]>> = {
  "css-animation": [
    "animation",
    ...names(
      "animation",
      "delay direction duration fill-mode iteration-count name play-state timing-function".split(" "),
    ),
  ],
  "css-background-position": ["background-position", "background-position-x", "background-position-y"],
  "css-block-inline-size": ["block-size", "inline-size"],
  "css-border": ["border", ...names("border", SIDES), ...names("border", LINE), ...names("border", SIDES, LINE)],
  "css-border-image": ["border-image", ...names("border-image", ["outset", "repeat", "slice", "source", "width"])],
  "css-border-inline-block": names("border", AXES),
  "css-border-inline-block-individual": names("border", LOGICAL_SIDES),
  "css-border-inline-block-longhand": [...names("border", AXES, LINE), ...names("border", LOGICAL_SIDES, LINE)],
  "css-border-radius": ["border-radius", ...names("border", ["top", "bottom"], ["left", "right"], "radius")],
  "css-border-radius-logical": names("border", ["start", "end"], ["start", "end"], "radius"),
  "css-column-layout-properties": [
    "columns",
    ...names("column", ["fill", "rule", "rule-color", "rule-style", "rule-width", "span", "width"]),
  ],
  "css-gap": ["gap", "column-gap", "row-gap", "grid-gap", "grid-column-gap", "grid-row-gap"],
  "css-grid-template": ["grid-template", ...names("grid-template", ["areas", "columns", "rows"]), "grid"],
  "css-inset": ["inset", ...names("inset", AXES), ...names("inset", LOGICAL_SIDES)],
  "css-left-right-top-bottom": SIDES,
  "css-margin": ["margin", ...names("margin", SIDES)],
  "css-margin-block-start-end": names("margin-block", ["start", "end"]),
  "css-margin-inline-block": names("margin", AXES),
  "css-margin-inline-start-end": names("margin-inline", ["start", "end"]),
  "css-mask-image": ["mask", "mask-image"],
  "css-outline": ["outline", ...names("outline", LINE)],
  "css-overflow": ["overflow", ...names("overflow", ["x", "y", "block", "inline"])],
  "css-padding": ["padding", ...names("padding", SIDES)],
  "css-padding-block-start-end": names("padding-block", ["start", "end"]),
  "css-padding-inline-block": names("padding", AXES),
  "css-padding-inline-start-end": names("padding-inline", ["start", "end"]),
  "css-scroll-snap": names("scroll-snap", ["align", "stop", "type"]),
  "css-text-emphasis": ["text-emphasis", "text-emphasis-color", "text-emphasis-style"],
  "css-transition": [
    "transition",
    ...names("transition", ["behavior", "delay", "duration", "property", "timing-function"]),
  ],
};

/** What the name of a css feature begins with where it is about no property; `values.ts`, `selectors.ts` and `at-rules.ts` know these. */
const NO_PROPERTY =
  /^css-(?:at-|function-|pseudo-|selector-|unit-|conic-|inert-|linear-|radial-|comments|display-|important|intrinsic-|modern-|nesting|rgb|sytem-|variables)/;

/** The features of each property, whatever its value. */
export function featuresByProperty(features: readonly Feature[]): Map<string, Feature[]> {
  const map = new Map<string, Feature[]>();
  for (const feature of features) {
    if (!feature.startsWith("css-") || NO_PROPERTY.test(feature)) continue;
    for (const property of PROPERTIES[feature] ?? [feature.slice("css-".length)]) {
      map.set(property, [...(map.get(property) ?? []), feature]);
    }
  }
  return map;
}
