import { formatHex, modeHsl, modeLrgb, modeRgb, parse, useMode, wcagLuminance, type Rgb } from "culori/fn";
import { memoizeByString } from "../../cache/memoize.js";

const toRgb = useMode(modeRgb);
useMode(modeHsl);
useMode(modeLrgb);

/** A CSS colour, with components from 0 to 1. */
export type Colour = Rgb;

export const BLACK: Colour = { mode: "rgb", r: 0, g: 0, b: 0 };
export const WHITE: Colour = { mode: "rgb", r: 1, g: 1, b: 1 };

/** Parses a CSS colour; undefined for values that depend on other properties, and for anything else. */
export const readColour = memoizeByString(1000, (text): Colour | undefined => toRgb(parse(text.trim())));

export function alphaOf({ alpha = 1 }: Colour): number {
  return alpha;
}

/** The visible colour of one that is painted over an opaque one. */
export function over(upper: Colour, lower: Colour): Colour {
  const alpha = alphaOf(upper);
  if (alpha === 1) return upper;
  const mix = (a: number, b: number): number => a * alpha + b * (1 - alpha);
  return { mode: "rgb", r: mix(upper.r, lower.r), g: mix(upper.g, lower.g), b: mix(upper.b, lower.b) };
}

/** The WCAG contrast ratio of two opaque colours, from 1 to 21. */
export function contrastOf(a: Colour, b: Colour): number {
  const [one, other] = [wcagLuminance(a), wcagLuminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** In hexadecimal: `#1e6b4a`. */
export function colourName(colour: Colour): string {
  return formatHex(colour);
}
