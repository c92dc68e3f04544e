import pixelmatch from "pixelmatch";
import pngjs from "pngjs";

export interface Comparison {
  /** How many pixels differ. */
  readonly pixels: number;
  /** Their share of all pixels, in percent. */
  readonly percent: number;
  /** The picture of what differs, as a PNG; absent where nothing does. */
  readonly difference?: Buffer;
}

/**
 * Every pixel whose colour is not exactly the same counts: one browser draws the same email the same each time, down to the
 * bytes. What another version of it draws differently (the edges of letters) lies further apart than a changed brand
 * colour does, so that no tolerance for colours tells the two apart.
 */
const EXACT = { threshold: 0, includeAA: true };

const { PNG } = pngjs;

/** What of two pictures differs. Where only one of them reaches, all of it does. */
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

/** A picture's pixels on a larger ground, which has what the other one has there, as unlike as can be. */
function spread(picture: pngjs.PNG, other: pngjs.PNG, width: number, height: number): Buffer {
  if (picture.width === width && picture.height === height) return picture.data;
  const ground = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      if (x < picture.width && y < picture.height) {
        picture.data.copy(ground, at, (y * picture.width + x) * 4, (y * picture.width + x) * 4 + 4);
      } else if (x < other.width && y < other.height) {
        const from = (y * other.width + x) * 4;
        for (let channel = 0; channel < 3; channel += 1)
          ground[at + channel] = (other.data[from + channel] ?? 0) < 128 ? 255 : 0;
      }
    }
  }
  return ground;
}
