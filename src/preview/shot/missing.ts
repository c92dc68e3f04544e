import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Pictures } from "./shoot.js";
import type { Choice } from "./sittings.js";

export interface Asked extends Choice {
  /** The templates' names; all where there are none. */
  readonly names: readonly string[];
}

/** Pictures in a folder that these ways to look at these templates would have taken again, and did not. */
export async function missingFrom(folder: string, asked: Asked, { pictures, broken }: Pictures): Promise<string[]> {
  const taken = new Set(pictures.map(({ file }) => file));
  const there = await readdir(folder, { recursive: true }).catch(() => []);
  return there
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => !taken.has(file) && isAsked(file, asked) && !broken.includes(path.posix.dirname(file)))
    .toSorted();
}

/** Whether it is `NAME/FIXTURE-WIDTH-SCHEME.png` of what is asked for. */
function isAsked(file: string, { names, fixtures, widths, schemes }: Asked): boolean {
  const [, name = "", fixture = "", width, scheme] = /^([^/]+)\/(.+)-(\d+)-(light|dark)\.png$/.exec(file) ?? [];
  return (
    (names.length === 0 || names.includes(name)) &&
    (fixtures.length === 0 || fixtures.includes(fixture)) &&
    widths.includes(Number(width)) &&
    schemes.some((each) => each === scheme)
  );
}
