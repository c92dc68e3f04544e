import pixelmatch from "pixelmatch";
import pngjs from "pngjs";

export interface Comparison {
  /** Of all pixels, in percent. */
  readonly percent: number;
  /** The picture of what differs, as a PNG; absent where nothing does. */
  readonly difference?: Buffer;
}

/** How far the colours of a pixel may lie apart, of 1: below what an eye sees. */
const SAME_COLOUR = 0.1;

const { PNG } = pngjs;

/** What of two pictures differs. Where only one of them reaches, all of it does. */
export function compare(before: Buffer, after: Buffer): Comparison {
  if (before.equals(after)) return { percent: 0 };
  const [one, other] = [PNG.sync.read(before), PNG.sync.read(after)];
  const width = Math.max(one.width, other.width);
  const height = Math.max(one.height, other.height);
  const difference = new PNG({ width, height });
  const [left, right] = [spread(one, other, width, height), spread(other, one, width, height)];
  const count = pixelmatch(left, right, difference.data, width, height, { threshold: SAME_COLOUR });
  return count === 0
    ? { percent: 0 }
    : { percent: (count / (width * height)) * 100, difference: PNG.sync.write(difference) };
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
