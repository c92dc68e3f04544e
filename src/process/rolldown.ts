/*
 * The only module that imports rolldown, an optional peer: types cost nothing, and the library loads for the first bundle.
 */
import type * as rolldown from "rolldown";
import type { OutputChunk, Plugin, RolldownError, RolldownMagicString, RolldownOutput } from "rolldown";
import type * as rolldownUtils from "rolldown/utils";
import type { ESTree } from "rolldown/utils";
import { MissingPeerError } from "../errors.js";

export type { ESTree, OutputChunk, Plugin, RolldownError, RolldownMagicString, RolldownOutput };

export type Rolldown = Pick<typeof rolldown, "rolldown" | "RolldownMagicString"> &
  Pick<typeof rolldownUtils, "parseSync">;

/** Makes rolldown's built-in allocator return memory at once: a third of what a build uses. */
const FRUGAL = { MIMALLOC_PURGE_DELAY: "0", MIMALLOC_ARENA_EAGER_COMMIT: "0" };

/** @throws {MissingPeerError} rolldown is not installed. */
export async function loadRolldown(neededBy: string): Promise<Rolldown> {
  // oxlint-disable-next-line node/no-process-env -- native code reads it while loading
  for (const [name, value] of Object.entries(FRUGAL)) process.env[name] ??= value;
  try {
    const [bundler, { parseSync }] = await Promise.all([import("rolldown"), import("rolldown/utils")]);
    return { rolldown: bundler.rolldown, RolldownMagicString: bundler.RolldownMagicString, parseSync };
  } catch (cause) {
    if (isMissing(cause)) throw new MissingPeerError(["rolldown"], neededBy, { cause });
    throw cause;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}

/** Visits a node and its descendants in source order; if `visit` returns `false`, the node's descendants are skipped. */
export function walk(node: ESTree.Node, visit: (node: ESTree.Node) => boolean | void): void {
  if (visit(node) === false) return;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit);
  }
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
