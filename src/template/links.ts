import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";

/**
 * What speaks against following a path: as a link it may lead out of the templates root, or nowhere.
 *
 * @param root Absolute, links resolved.
 * @param file In it, by way of folders of which this was asked already.
 */
export function checkLink(root: string, file: string): Diagnostic | undefined {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  const target = targetOf(file);
  if (target !== undefined && isWithin(root, target)) return undefined;
  const where = target === undefined ? "nowhere" : `out of the templates root, to ${target}`;
  const message = `${path.relative(root, file)} is a link that leads ${where}.`;
  return { rule: "template-link", severity: "error", message, at: { file } };
}

function targetOf(link: string): string | undefined {
  try {
    return realpathSync.native(link);
  } catch {
    return undefined;
  }
}

function isWithin(root: string, file: string): boolean {
  const way = path.relative(root, file);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
