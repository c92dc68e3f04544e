import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";

/**
 * What speaks against following a path: as a link it may lead out of the templates root, or nowhere.
 *
 * @param root Absolute, links resolved.
 */
export async function checkLink(root: string, file: string): Promise<Diagnostic | undefined> {
  const target = await realpath(file).catch(() => undefined);
  if (target !== undefined && isWithin(root, target)) return undefined;
  const where = target === undefined ? "nowhere" : `out of the templates root, to ${target}`;
  const message = `${path.relative(root, file)} is a link that leads ${where}.`;
  return { rule: "template-link", severity: "error", message, at: { file } };
}

function isWithin(root: string, file: string): boolean {
  const way = path.relative(root, file);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
