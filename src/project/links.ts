import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import { attempt, isWithin } from "../files.js";

/**
 * A diagnostic if a path is a link that leads out of the templates root, or is broken.
 *
 * @param root Absolute, links resolved.
 * @param file A path in the root; its parent folders have been checked already.
 */
export function checkLink(root: string, file: string): Diagnostic | undefined {
  if (!attempt(() => lstatSync(file))?.isSymbolicLink()) return undefined;
  const target = targetOf(file);
  if (target !== undefined && isWithin(root, target)) return undefined;
  const where = target === undefined ? "nowhere" : `out of the templates root, to ${target}`;
  const message = `${path.relative(root, file)} is a link that leads ${where}.`;
  return { rule: "template-link", severity: "error", message, at: { file } };
}

/** The real path of a folder; undefined if it doesn't exist or can't be reached. */
export function realFolder(folder: string): string | undefined {
  return statsOf(folder)?.isDirectory() ? targetOf(folder) : undefined;
}

/** Undefined for a file that doesn't exist, can't be reached, or is a link that is broken or refers to itself. */
export function statsOf(file: string): Stats | undefined {
  // Avoids an exception in the common case of a missing file; other errors are still thrown, and caught by `attempt`.
  return attempt(() => statSync(file, { throwIfNoEntry: false }));
}

function targetOf(link: string): string | undefined {
  return attempt(() => realpathSync.native(link));
}
