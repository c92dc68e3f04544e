import { type Feature, isFeature } from "../data.js";

/** File extensions with another name in the data. */
const ALIASES: Readonly<Record<string, string>> = { heic: "heif", jpeg: "jpg", tif: "tiff" };

/**
 * The format of an image, by the extension in its URL.
 *
 * @example
 * imageFeature("https://example.com/logo.svg?v=2"); // "image-svg"
 */
export function imageFeature(url: string): Feature | undefined {
  if (/^\s*data:image\//i.test(url)) return "image-base64";
  const extension = /\.([a-z0-9]+)\s*(?:[?#].*)?$/i.exec(url)?.[1]?.toLowerCase() ?? "";
  const feature = `image-${ALIASES[extension] ?? extension}`;
  return isFeature(feature) ? feature : undefined;
}

/** The formats of all URLs in a `srcset`. */
export function imageFeatures(srcset: string): Feature[] {
  return srcset.split(/,\s/).flatMap((candidate) => imageFeature(candidate.trim().split(/\s/, 1)[0] ?? "") ?? []);
}
