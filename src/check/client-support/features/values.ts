import type { Feature } from "../data.js";
import { imageFeature } from "./images.js";

const FUNCTIONS: Readonly<Record<string, Feature>> = {
  calc: "css-unit-calc",
  clamp: "css-function-clamp",
  "conic-gradient": "css-conic-gradient",
  lab: "css-modern-color",
  lch: "css-modern-color",
  "light-dark": "css-function-light-dark",
  "linear-gradient": "css-linear-gradient",
  max: "css-function-max",
  min: "css-function-min",
  oklab: "css-modern-color",
  oklch: "css-modern-color",
  "radial-gradient": "css-radial-gradient",
  rgb: "css-rgb",
  rgba: "css-rgba",
  var: "css-variables",
};

const KEYWORDS: Readonly<Record<string, Feature>> = {
  "fit-content": "css-intrinsic-size",
  initial: "css-unit-initial",
  "max-content": "css-intrinsic-size",
  "min-content": "css-intrinsic-size",
  "system-ui": "css-sytem-ui",
  "ui-monospace": "css-sytem-ui",
  "ui-rounded": "css-sytem-ui",
  "ui-sans-serif": "css-sytem-ui",
  "ui-serif": "css-sytem-ui",
};

const UNITS: Readonly<Record<string, Feature>> = {
  "%": "css-unit-percent",
  ch: "css-unit-ch",
  cm: "css-unit-cm",
  em: "css-unit-em",
  ex: "css-unit-ex",
  in: "css-unit-in",
  mm: "css-unit-mm",
  pc: "css-unit-pc",
  pt: "css-unit-pt",
  px: "css-unit-px",
  rem: "css-unit-rem",
  vh: "css-unit-vh",
  vmax: "css-unit-vmax",
  vmin: "css-unit-vmin",
  vw: "css-unit-vw",
};

/** What `display` and its like say is told apart by caniemail. */
const VALUES: Readonly<Record<string, readonly (readonly [RegExp, Feature])[]>> = {
  display: [
    [/\bflex\b/, "css-display-flex"],
    [/\bgrid\b/, "css-display-grid"],
    [/\bnone\b/, "css-display-none"],
  ],
  "flex-flow": [
    [/\bcolumn\b/, "css-flex-direction"],
    [/\bwrap\b/, "css-flex-wrap"],
  ],
};

/** A string, an address or one token: a number with its unit, a function's name with its parenthesis, a word. */
const TOKEN = /"[^"]*"|'[^']*'|url\(\s*(?:"[^"]*"|'[^']*'|[^)]*)\s*\)|[\w.]*\d(?:(%)|([a-z]+)\b)|([\w-]+)(\()?/g;

/**
 * What a value uses, whatever its property.
 *
 * @example
 * featuresOfValue("width", "calc(100% - 2rem)"); // css-unit-calc, css-unit-percent, css-unit-rem
 */
export function featuresOfValue(property: string, value: string): Feature[] {
  const found: Feature[] = (VALUES[property] ?? []).flatMap(([pattern, feature]) =>
    pattern.test(value) ? [feature] : [],
  );
  for (const [token, percent, unit, word, parenthesis] of value.matchAll(TOKEN)) {
    const feature = token.startsWith("url(")
      ? imageFeature(token.slice("url(".length, -1).replaceAll(/^\s*["']?|["']?\s*$/g, ""))
      : word === undefined
        ? UNITS[unit ?? percent ?? ""]
        : parenthesis
          ? FUNCTIONS[word.replace(/^repeating-/, "")]
          : KEYWORDS[word];
    if (feature) found.push(feature);
  }
  return found;
}
