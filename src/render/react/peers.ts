import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { MissingPeerError } from "../../errors.js";
import type { Template } from "../../template/template.js";

const PEERS = ["react", "react-dom"];

/**
 * Checks that React is installed in the project, resolved from the template.
 *
 * @throws {MissingPeerError} It is not installed.
 */
export function requireReact({ name, body: { file } }: Template): void {
  const require = createRequire(realpathSync.native(file));
  const missing = PEERS.filter((peer) => !isInstalled(peer, require));
  if (missing.length > 0) throw new MissingPeerError(missing, `the React template "${name}"`);
}

function isInstalled(peer: string, require: NodeJS.Require): boolean {
  try {
    require.resolve(peer);
    return true;
  } catch {
    return false;
  }
}
