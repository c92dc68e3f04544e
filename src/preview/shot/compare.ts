import pixelmatch from "pixelmatch";
import pngjs from "pngjs";

export interface Comparison {
  /** Number of pixels that differ. */
  readonly pixels: number;
  /** Their share of all pixels, in per cent. */
  readonly percent: number;
  /** An image of the differences, as a PNG. Undefined if there are none. */
  readonly difference?: Buffer;
}

/**
 * Every pixel with a different colour counts. The same browser renders the same email identically, down to the byte.
 * Another version renders the edges of letters with larger differences than a changed brand colour would cause, so no
 * tolerance could separate the two.
 */
const EXACT = { threshold: 0, includeAA: true };

const { PNG } = pngjs;

/** Compares two images. Areas that only one of them covers count as different. */
export function compare(before: Buffer, after: Buffer): Comparison {
  if (before.equals(after)) return { pixels: 0, percent: 0 };
  const [one, other] = [PNG.sync.read(before), PNG.sync.read(after)];
  const width = Math.max(one.width, other.width);
  const height = Math.max(one.height, other.height);
  const difference = new PNG({ width, height });
  const [left, right] = [spread(one, other, width, height), spread(other, one, width, height)];
  const pixels = pixelmatch(left, right, difference.data, width, height, EXACT);
  return pixels === 0
    ? { pixels: 0, percent: 0 }
    : { pixels, percent: (pixels / (width * height)) * 100, difference: PNG.sync.write(difference) };
}

/**
 * Places an image on a larger canvas. Areas that only the other image covers get the inverted colours of that image.
 */
function spread(image: pngjs.PNG, other: pngjs.PNG, width: number, height: number): Buffer {
  if (image.width === width && image.height === height) return image.data;
  const ground = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      if (x < image.width && y < image.height) {
        image.data.copy(ground, at, (y * image.width + x) * 4, (y * image.width + x) * 4 + 4);
      } else if (x < other.width && y < other.height) {
        const from = (y * other.width + x) * 4;
        for (let channel = 0; channel < 3; channel += 1)
          ground[at + channel] = (other.data[from + channel] ?? 0) < 128 ? 255 : 0;
      }
    }
  }
  return ground;
}
