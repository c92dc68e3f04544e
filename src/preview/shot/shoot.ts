import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { inLanes } from "../../render/lanes.js";
import type { Workspace } from "../server/workspace/workspace.js";
import { type Camera, openCamera, SET, type Sitter } from "./camera.js";
import pixelmatch from "pixelmatch";
import pngjs from "pngjs";
import { completeVariables } from "../../mustache/complete.js";
import { renderMustache } from "../../mustache/fill.js";
import type { TemplateDetail } from "../contract.js";

export interface ShootOptions extends Choice {
  readonly workspace: Workspace;
  /** The project's folder. */
  readonly folder: string;
  /** Names of the templates. */
  readonly names: readonly string[];
  readonly remoteImages: boolean;
  readonly out: string;
  /** Folder with earlier screenshots to compare with. */
  readonly before?: string;
  readonly signal: AbortSignal;
  /** Called with each screenshot after it is written. */
  readonly onPicture: (picture: Screenshot) => void;
}

/** Paths are relative to the output folder, with `/`. */
export interface Screenshot {
  readonly file: string;
  /** `new`: there is no earlier screenshot. */
  readonly state: "taken" | "new" | "compared";
  /** How many pixels differ from the earlier screenshot, as a number and in per cent. */
  readonly pixels?: number;
  readonly percent?: number;
  /** The image of the differences. */
  readonly difference?: string;
}

export interface Screenshots {
  readonly pictures: readonly Screenshot[];
  /** Templates that did not compile, so that there is nothing to show. */
  readonly broken: readonly string[];
}

/** Takes the screenshots of each template and compares them with earlier ones, if there are any. */
export async function shoot(options: ShootOptions): Promise<Screenshots> {
  const { workspace, folder, names, remoteImages, out, before, signal, onPicture } = options;
  const { assetsBase } = await workspace.state();
  const bases = [`${SET}assets/`, ...(assetsBase === undefined ? [] : [`${assetsBase}/`])];
  const camera = await openCamera({
    folder,
    remoteImages,
    asset: async ({ origin, pathname }) => {
      const base = bases.find((each) => `${origin}${pathname}`.startsWith(each));
      return base === undefined ? undefined : workspace.asset(decodeURI(`${origin}${pathname}`.slice(base.length)));
    },
  });
  const pictures: Screenshot[] = [];
  const broken: string[] = [];
  try {
    for (const name of names) {
      const detail = await workspace.detail(name);
      const isBroken = detail.compiled === undefined || detail.fixtures.some(({ problem }) => problem !== undefined);
      if (isBroken) {
        broken.push(name);
        continue;
      }
      await inLanes(sittingsOf(detail, options), Math.min(4, availableParallelism()), async (sitting) => {
        signal.throwIfAborted();
        const picture = await take(sitting, camera, out, before);
        pictures.push(picture);
        onPicture(picture);
      });
    }
  } finally {
    await camera.close();
  }
  pictures.sort((one, other) => (one.file < other.file ? -1 : 1));
  return { pictures, broken };
}

async function take(sitting: Sitting, camera: Camera, out: string, before: string | undefined): Promise<Screenshot> {
  const { file } = sitting;
  const png = await camera.take(sitting);
  const difference = file.replace(/\.png$/, ".diff.png");
  await mkdir(path.dirname(path.join(out, file)), { recursive: true });
  await writeFile(path.join(out, file), png);
  await rm(path.join(out, difference), { force: true });
  if (before === undefined) return { file, state: "taken" };

  const earlier = await readFile(path.join(before, file)).catch(() => undefined);
  if (earlier === undefined) return { file, state: "new" };
  const { difference: drawn, ...comparison } = compare(earlier, png);
  if (drawn === undefined) return { file, state: "compared", ...comparison };
  await writeFile(path.join(out, difference), drawn);
  return { file, state: "compared", ...comparison, difference };
}

interface Comparison {
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

/** Which fixtures to show, in which widths and colour schemes. */
export interface Choice {
  /** Names of fixtures. Empty: all. */
  readonly fixtures: readonly string[];
  readonly widths: readonly number[];
  readonly schemes: readonly Sitter["scheme"][];
}

/** A screenshot to take. */
interface Sitting extends Sitter {
  /** `NAME/FIXTURE-WIDTH-SCHEME.png` */
  readonly file: string;
}

/** Every fixture in every width and scheme. Empty if the template did not compile. */
function sittingsOf({ name, compiled, fixtures }: TemplateDetail, { widths, schemes, ...choice }: Choice): Sitting[] {
  if (compiled === undefined) return [];
  const examples =
    fixtures.length === 0 ? [{ name: "default", variables: completeVariables(compiled.contract, {}) }] : fixtures;
  const chosen = examples.filter((fixture) => choice.fixtures.length === 0 || choice.fixtures.includes(fixture.name));
  return chosen.flatMap((fixture) => {
    const html = renderMustache(compiled.html, fixture.variables, { escape: "html" });
    return widths.flatMap((width) =>
      schemes.map((scheme) => ({ file: `${name}/${fixture.name}-${width}-${scheme}.png`, html, width, scheme })),
    );
  });
}
