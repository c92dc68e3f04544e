import { type Feature, isFeature } from "../data.js";

/** File extensions with another name in the data. */
const ALIASES: Readonly<Record<string, string>> = { heic: "heif", jpeg: "jpg", tif: "tiff" };

/**
 * The format of an image, by the extension in its URL.
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

/** The formats of all URLs in a `srcset`. */
export function imageFeatures(srcset: string): Feature[] {
  return srcset.split(/,\s/).flatMap((candidate) => imageFeature(candidate.trim().split(/\s/, 1)[0] ?? "") ?? []);
}
