import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { inLanes } from "../../render/lanes.js";
import type { Workspace } from "../server/workspace/workspace.js";
import { type Camera, openCamera, SET } from "./camera.js";
import { compare } from "./compare.js";
import { type Choice, type Sitting, sittingsOf } from "./sittings.js";

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
  readonly onPicture: (picture: Picture) => void;
}

/** Paths are relative to the output folder, with `/`. */
export interface Picture {
  readonly file: string;
  /** `new`: there is no earlier screenshot. */
  readonly state: "taken" | "new" | "compared";
  /** How many pixels differ from the earlier screenshot, as a number and in per cent. */
  readonly pixels?: number;
  readonly percent?: number;
  /** The image of the differences. */
  readonly difference?: string;
}

export interface Pictures {
  readonly pictures: readonly Picture[];
  /** Templates that did not compile, so that there is nothing to show. */
  readonly broken: readonly string[];
}

/** Takes the screenshots of each template and compares them with earlier ones, if there are any. */
export async function shoot(options: ShootOptions): Promise<Pictures> {
  const { workspace, folder, names, remoteImages, out, before, signal, onPicture } = options;
  const { assetsBase } = await workspace.state();
  const bases = [`${SET}assets/`, ...(assetsBase === undefined ? [] : [`${assetsBase}/`])];
  const pages = Math.min(4, availableParallelism());
  const camera = await openCamera({
    folder,
    pages,
    remoteImages,
    asset: async ({ origin, pathname }) => {
      const base = bases.find((each) => `${origin}${pathname}`.startsWith(each));
      return base === undefined ? undefined : workspace.asset(decodeURI(`${origin}${pathname}`.slice(base.length)));
    },
  });
  const pictures: Picture[] = [];
  const broken: string[] = [];
  try {
    for (const name of names) {
      const detail = await workspace.detail(name);
      const isBroken = detail.compiled === undefined || detail.fixtures.some(({ problem }) => problem !== undefined);
      if (isBroken) {
        broken.push(name);
        continue;
      }
      await inLanes(sittingsOf(detail, options), pages, async (sitting) => {
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

async function take(sitting: Sitting, camera: Camera, out: string, before: string | undefined): Promise<Picture> {
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
