import {
  clampChroma,
  converter,
  formatRgb,
  modeLrgb,
  modeOklab,
  modeOklch,
  modeRgb,
  type Oklch,
  useMode,
} from "culori/fn";

useMode(modeRgb);
useMode(modeLrgb);
useMode(modeOklab);
useMode(modeOklch);
const toOklch = converter("oklch");

/** The canvas on which clients show emails without a background of their own. */
export const CANVAS = { light: "#ffffff", dark: "#1c1c1e" };

/** Perceived lightness from 0 to 1: the maximum of a darkened background, and the minimum of lightened text. */
const DARK_MOST = 0.48;
const LIGHT_LEAST = 0.76;

const remembered = new Map<string, string | undefined>();

/**
 * A background colour as clients that force dark mode show it: light colours become dark, dark colours stay, and the
 * hue is kept. Undefined if the colour stays.
 */
export function darkened(colour: string): string | undefined {
  return changed(`background ${colour}`, colour, ({ l, c }) =>
    l <= DARK_MOST ? l : 0.2 + 0.6 * c + (1 - l) * ((DARK_MOST - 0.2 - 0.6 * c) / (1 - DARK_MOST)),
  );
}

/** The same for a text colour: dark colours become light. */
export function lightened(colour: string): string | undefined {
  return changed(`text ${colour}`, colour, ({ l }) =>
    l >= LIGHT_LEAST ? l : 0.95 - l * ((0.95 - LIGHT_LEAST) / LIGHT_LEAST),
  );
}

/** The same for a border: light borders become darker, dark borders become lighter. */
export function lineInDark(colour: string): string | undefined {
  return changed(`line ${colour}`, colour, ({ l }) => (l > 0.6 ? 0.3 + (1 - l) * 0.4 : 0.8 - l * 0.6));
}

function changed(key: string, colour: string, lightness: (colour: Oklch) => number): string | undefined {
  if (!remembered.has(key)) {
    if (remembered.size >= 2_000) remembered.clear();
    remembered.set(key, withLightness(colour, lightness));
  }
  return remembered.get(key);
}

function withLightness(colour: string, lightness: (colour: Oklch) => number): string | undefined {
  const read = toOklch(colour);
  if (!read || read.alpha === 0) return undefined;
  const l = lightness(read);
  return l === read.l ? undefined : formatRgb(clampChroma({ ...read, l }, "oklch"));
}
