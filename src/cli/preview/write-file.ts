import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { type ProjectLocation, upwards } from "../../config/find.js";
import { ConfigurationError } from "../../errors.js";
import { writeWhole } from "../../preview/server/fixtures/write-file.js";

/**
 * Writes a file for the preview: a fixture of the project or the preview's preferences. The request comes from a process that
 * runs project code, so any other file is refused, as are paths through symbolic links.
 *
 * @param roots The project's template folders.
 * @throws {LettershopError} The file is not one of these, or can't be written.
 */
export async function writePreviewFile(
  { folder, dataFolder }: ProjectLocation,
  roots: readonly string[],
  { file, text, overwrite }: { readonly file: string; readonly text: string; readonly overwrite: boolean },
): Promise<void> {
  const isPreferences = file === path.join(dataFolder, "preview.json");
  const isFixture = [folder, ...roots].some((root) => isFixtureIn(root, file));
  if ((!isPreferences && !isFixture) || !isJson(text) || isBehindLink(file))
    throw new ConfigurationError(`The preview can't write ${file}, because it is not a fixture of this project.`);
  await writeWhole(file, text, overwrite);
}

function isFixtureIn(root: string, file: string): boolean {
  const parts = path.relative(realOf(root), file).split(path.sep);
  const isOutside = path.isAbsolute(path.relative(realOf(root), file));
  const isHidden = parts.some((part) => part.startsWith(".") || part === "node_modules");
  return !isOutside && !isHidden && parts.at(-2) === "fixtures" && path.extname(file) === ".json";
}

function realOf(folder: string): string {
  return existsSync(folder) ? realpathSync.native(folder) : folder;
}

function isBehindLink(file: string): boolean {
  const [existing = file] = [...upwards(file)].filter((each) => existsSync(each));
  return path.normalize(file) !== file || realpathSync.native(existing) !== existing;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
