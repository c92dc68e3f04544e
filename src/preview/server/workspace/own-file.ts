import { realpathSync } from "node:fs";
import path from "node:path";
import { statsOf } from "../../../project/links.js";
import { Refusal } from "../refusal.js";
import { shownFrom } from "../report/shown-path.js";
import { sourcesOf } from "./detail.js";
import type { Entry } from "./entry.js";

/**
 * The absolute path of a file that an editor may open: in the project's folder, or a source of a template.
 *
 * @param shown The path as the page shows it, relative to the project's folder.
 * @throws {Refusal} It is not such a file.
 */
export function ownFile(shown: string, folder: string, entries: readonly Entry[]): string {
  const file = path.resolve(folder, shown);
  const shownPath = shownFrom(folder);
  const isSource = entries.some((entry) => sourcesOf(entry).some((each) => each === file && shownPath(each) === shown));
  if (!shown.includes("\0") && (isSource || isWithin(folder, file)) && statsOf(file)?.isFile()) return file;
  throw new Refusal(403, `${JSON.stringify(shown)} isn't a file of this project.`);
}

/** Links are resolved, so that none can lead outside. */
function isWithin(folder: string, file: string): boolean {
  try {
    const relative = path.relative(realpathSync.native(folder), realpathSync.native(file));
    return relative !== "" && !path.isAbsolute(relative) && !relative.split(path.sep).includes("..");
  } catch {
    return false;
  }
}
