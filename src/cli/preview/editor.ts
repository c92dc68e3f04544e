import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigurationError } from "../../errors.js";

/** How soon an editor that cannot be started has said so. */
const STARTING_MS = 400;

/**
 * Opens a file in the editor that runs, or that `EDITOR` names.
 *
 * @param folder The project's: nothing outside of it is opened.
 * @throws {ConfigurationError} There is none, or it did not start.
 */
export async function openInEditor(
  folder: string,
  { file, line = 1, column = 1 }: { readonly file: string; readonly line?: number; readonly column?: number },
): Promise<void> {
  const within = path.relative(folder, path.resolve(folder, file));
  if (within.startsWith("..") || path.isAbsolute(within))
    throw new ConfigurationError(`${file} is not a file of this project.`);
  const { default: launch } = await import("launch-editor");
  const failed = new Promise<never>((_, reject) => {
    launch(`${path.join(folder, within)}:${line}:${column}`, (_file, reason) =>
      reject(
        new ConfigurationError(`No editor could be opened${reason ? `: ${reason}` : "."}`, {
          hint: "Set EDITOR to your editor's command, such as `code`, and start the preview again.",
        }),
      ),
    );
  });
  await Promise.race([failed, sleep(STARTING_MS)]);
}
