import { type Feature, isFeature } from "../data.js";

/** Endings that stand for the same format as another. */
const ALIASES: Readonly<Record<string, string>> = { heic: "heif", jpeg: "jpg", tif: "tiff" };

/**
 * The format of an image, as its address tells it.
 *
 * @example
 * imageFeature("https://example.com/logo.svg?v=2"); // "image-svg"
 */
export function imageFeature(address: string): Feature | undefined {
  if (/^\s*data:image\//i.test(address)) return "image-base64";
  const ending = /\.([a-z0-9]+)\s*(?:[?#].*)?$/i.exec(address)?.[1]?.toLowerCase() ?? "";
  const feature = `image-${ALIASES[ending] ?? ending}`;
  return isFeature(feature) ? feature : undefined;
}

/** Every format that the addresses of `srcset` tell. */
export function imageFeatures(srcset: string): Feature[] {
  return srcset.split(/,\s/).flatMap((candidate) => imageFeature(candidate.trim().split(/\s/, 1)[0] ?? "") ?? []);
}
