import { createRequire } from "node:module";
import path from "node:path";
import { MissingPeerError } from "../errors.js";

/**
 * Resolves an optional peer: the project's own, or else the one installed next to lettershop.
 *
 * @param neededBy What needs it, as a noun phrase.
 * @throws {MissingPeerError} It is not installed.
 */
export function resolvePeer(name: string, folder: string, neededBy: string): string {
  try {
    return createRequire(path.join(folder, "package.json")).resolve(name);
  } catch {
    try {
      return createRequire(import.meta.url).resolve(name);
    } catch (cause) {
      throw new MissingPeerError([name], neededBy, { cause });
    }
  }
}
