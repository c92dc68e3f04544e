import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Pictures } from "./shoot.js";
import type { Choice } from "./sittings.js";

export interface Asked extends Choice {
  /** Names of the templates. Empty: all. */
  readonly names: readonly string[];
}

/** Screenshots in a folder that this run would have replaced but did not take. */
export async function missingFrom(folder: string, selection: Asked, { pictures, broken }: Pictures): Promise<string[]> {
  const taken = new Set(pictures.map(({ file }) => file));
  const there = await readdir(folder, { recursive: true }).catch(() => []);
  return there
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => !taken.has(file) && isSelected(file, selection) && !broken.includes(path.posix.dirname(file)))
    .toSorted();
}

/** Whether the path is `NAME/FIXTURE-WIDTH-SCHEME.png` of the selection. */
function isSelected(file: string, { names, fixtures, widths, schemes }: Asked): boolean {
  const [, name = "", fixture = "", width, scheme] = /^([^/]+)\/(.+)-(\d+)-(light|dark)\.png$/.exec(file) ?? [];
  return (
    (names.length === 0 || names.includes(name)) &&
    (fixtures.length === 0 || fixtures.includes(fixture)) &&
    widths.includes(Number(width)) &&
    schemes.some((each) => each === scheme)
  );
}
