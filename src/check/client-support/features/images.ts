import type { Feature } from "../data.js";

const FORMATS: Readonly<Record<string, Feature>> = {
  apng: "image-apng",
  avif: "image-avif",
  bmp: "image-bmp",
  gif: "image-gif",
  hdr: "image-hdr",
  heic: "image-heif",
  heif: "image-heif",
  ico: "image-ico",
  jpeg: "image-jpg",
  jpg: "image-jpg",
  mp4: "image-mp4",
  png: "image-png",
  svg: "image-svg",
  tif: "image-tiff",
  tiff: "image-tiff",
  webp: "image-webp",
};

/**
 * The format of an image, as its address tells it.
 *
 * @example
 * imageFeature("https://example.com/logo.svg?v=2"); // "image-svg"
 */
export function imageFeature(address: string): Feature | undefined {
  if (/^\s*data:image\//i.test(address)) return "image-base64";
  const [, ending = ""] = /\.([a-z0-9]+)\s*(?:[?#].*)?$/i.exec(address) ?? [];
  return FORMATS[ending.toLowerCase()];
}

/** Every format that the addresses of `srcset` tell. */
export function imageFeatures(srcset: string): Feature[] {
  return srcset.split(/,\s/).flatMap((candidate) => imageFeature(candidate.trim().split(/\s/, 1)[0] ?? "") ?? []);
}
