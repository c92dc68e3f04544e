import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigurationError } from "../../errors.js";

/** How long to wait for an editor to fail to start, in ms. */
const STARTING_MS = 400;

/**
 * Opens a file in the running editor, or in the one that `EDITOR` names.
 *
 * @param folder The project's folder. Files outside it are refused.
 * @throws {ConfigurationError} There is no editor, or it did not start.
 */
export async function openInEditor(
  folder: string,
  { file, line = 1, column = 1 }: { readonly file: string; readonly line?: number; readonly column?: number },
): Promise<void> {
  const within = path.relative(folder, path.resolve(folder, file));
  if (within.startsWith("..") || path.isAbsolute(within))
    throw new ConfigurationError(`${file} is not in this project.`);
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
