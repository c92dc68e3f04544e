import { setImmediate as turn } from "node:timers/promises";
import type { Template } from "../template/template.js";
import { type CompiledAnew, compileAnew } from "./compile-anew.js";
import type { CompileContext } from "./engine.js";

/**
 * Compiles templates, none of which is in the cache: as many at a time as the machine and its memory are good for.
 *
 * @param onCompiled Is given each one as soon as it is compiled.
 * @throws {MissingPeerError} The compiler of one of them is not installed.
 */
export async function compileTogether(
  templates: readonly Template[],
  context: CompileContext,
  onCompiled: (template: Template, compiled: CompiledAnew) => void,
): Promise<void> {
  const lane = async (waiting: Iterable<Template>): Promise<void> => {
    for (const template of waiting) {
      onCompiled(template, await compileAnew(template, context));
      // Compiling MJML waits for nothing: without a turn, the worker's answers would have to.
      await turn();
    }
  };
  // What waits for the worker most of the time goes along with what doesn't. MJML in a thread of its own gains nothing:
  // what the second core does is to make the same compiler fast once more.
  const kinds = [templates.filter(isInWorker), templates.filter((template) => !isInWorker(template))];
  await Promise.all(
    kinds.map((kind) => kind.values()).flatMap((waiting) => Array.from({ length: LANES }, () => lane(waiting))),
  );
}

/** As many templates of a kind are compiled at a time: enough to keep the worker busy, and few in memory. */
const LANES = 3;

function isInWorker({ engine }: Template): boolean {
  return engine === "react";
}
