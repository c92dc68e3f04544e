import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";

/**
 * What speaks against following a path: as a link it may lead out of the templates root, or nowhere.
 *
 * @param root Absolute, links resolved.
 * @param file In it, by way of folders of which this was asked already.
 */
export function checkLink(root: string, file: string): Diagnostic | undefined {
  if (!attempt(() => lstatSync(file))?.isSymbolicLink()) return undefined;
  const target = targetOf(file);
  if (target !== undefined && isWithin(root, target)) return undefined;
  const where = target === undefined ? "nowhere" : `out of the templates root, to ${target}`;
  const message = `${path.relative(root, file)} is a link that leads ${where}.`;
  return { rule: "template-link", severity: "error", message, at: { file } };
}

/** The real path of a folder; undefined where there is none, or it can't be reached. */
export function realFolder(folder: string): string | undefined {
  return statsOf(folder)?.isDirectory() ? targetOf(folder) : undefined;
}

/** Undefined for what is not there, can't be reached, or is a link that leads nowhere or to itself. */
export function statsOf(file: string): Stats | undefined {
  // Without an exception for the usual case; for all others, `throwIfNoEntry` changes nothing.
  return attempt(() => statSync(file, { throwIfNoEntry: false }));
}

function targetOf(link: string): string | undefined {
  return attempt(() => realpathSync.native(link));
}

function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function isWithin(root: string, file: string): boolean {
  const way = path.relative(root, file);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
