import { formatHex, modeHsl, modeLrgb, modeRgb, parse, type Rgb, useMode, wcagLuminance } from "culori/fn";

const toRgb = useMode(modeRgb);
useMode(modeHsl);
useMode(modeLrgb);

/** A colour of CSS, its parts from 0 to 1. */
export type Colour = Rgb;

export const BLACK: Colour = { mode: "rgb", r: 0, g: 0, b: 0 };
export const WHITE: Colour = { mode: "rgb", r: 1, g: 1, b: 1 };

/**
 * The colour that a text of CSS names; undefined of what is no colour by itself.
 *
 * @example
 * readColour("#fff"); // { mode: "rgb", r: 1, g: 1, b: 1 }
 * readColour("currentcolor"); // undefined
 */
export function readColour(text: string): Colour | undefined {
  const written = text.trim();
  if (!known.has(written)) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(written, toRgb(parse(written)));
  }
  return known.get(written);
}

/** Few colours stand in many places. */
const known = new Map<string, Colour | undefined>();
const MOST_KNOWN = 1_000;

export function alphaOf({ alpha = 1 }: Colour): number {
  return alpha;
}

/** What is seen of a colour that lies over an opaque one. */
export function over(upper: Colour, lower: Colour): Colour {
  const alpha = alphaOf(upper);
  if (alpha === 1) return upper;
  const mix = (a: number, b: number): number => a * alpha + b * (1 - alpha);
  return { mode: "rgb", r: mix(upper.r, lower.r), g: mix(upper.g, lower.g), b: mix(upper.b, lower.b) };
}

/** WCAG's contrast ratio of two opaque colours, 1 to 21. */
export function contrastOf(a: Colour, b: Colour): number {
  const [one, other] = [luminanceOf(a), luminanceOf(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** The same few colours are compared with each other again and again. */
const luminances = new WeakMap<Colour, number>();

function luminanceOf(colour: Colour): number {
  const luminance = luminances.get(colour) ?? wcagLuminance(colour);
  luminances.set(colour, luminance);
  return luminance;
}

/** `#1e6b4a` */
export function nameOf(colour: Colour): string {
  return formatHex(colour);
}
