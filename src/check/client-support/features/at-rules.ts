import { type Feature, isFeature } from "../data.js";

const MEDIA: readonly (readonly [RegExp, Feature])[] = [
  [/device-pixel-ratio|\bresolution\b/, "css-at-media-device-pixel-ratio"],
  [/\b(?:any-)?hover\b/, "css-at-media-hover"],
  [/\borientation\b/, "css-at-media-orientation"],
  [/\bprefers-color-scheme\b/, "css-at-media-prefers-color-scheme"],
  [/\bprefers-reduced-motion\b/, "css-at-media-prefers-reduced-motion"],
];

/**
 * The features that an at-rule needs. Importing a font stylesheet counts as `@font-face`.
 *
 * @param name In lower case, without `@`.
 * @example
 * featuresOfAtRule("media", "(prefers-color-scheme: dark)"); // css-at-media, css-at-media-prefers-color-scheme
 */
export function featuresOfAtRule(name: string, prelude: string): Feature[] {
  const own = `css-at-${name.replace(/^-\w+-/, "")}`;
  if (!isFeature(own)) return [];
  if (own === "css-at-import") return [isOfFonts(prelude) ? "css-at-font-face" : own];
  if (own !== "css-at-media") return [own];
  return [own, ...MEDIA.flatMap(([pattern, feature]) => (pattern.test(prelude.toLowerCase()) ? [feature] : []))];
}

/** Whether a stylesheet only contains fonts, which emails can do without. */
export function isOfFonts(url: string): boolean {
  return /\bfonts?\b|typekit/i.test(url);
}
