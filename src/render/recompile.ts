import type { Template } from "../project/template.js";
import { type BuildClock, rebuildAll, type Rebuild } from "./rebuild.js";
import type { CompileContext } from "./engine.js";

/**
 * Compiles templates from scratch: without the cache, and in a separate worker.
 *
 * @example
 * const [again] = await recompile([template], context, "later");
 *
 * @throws {MissingPeerError} The compiler of one of the templates is not installed.
 */
export function recompile(
  templates: readonly Template[],
  context: CompileContext,
  clock: BuildClock,
): Promise<Rebuild[]> {
  return rebuildAll(templates, context, clock);
}
