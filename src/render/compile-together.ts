import type { Template } from "../template/template.js";
import type { CompileContext } from "./engine.js";
import { inLanes } from "./lanes.js";

export interface TogetherOptions<Compiled> {
  readonly context: CompileContext;
  readonly compile: (template: Template, context: CompileContext) => Promise<Compiled>;
  /** Is given each one as soon as it is compiled. */
  readonly onCompiled: (template: Template, compiled: Compiled) => void;
}

/**
 * Compiles templates, none of which is in the cache: as many at a time as the machine and its memory are good for.
 *
 * @throws {MissingPeerError} The compiler of one of them is not installed.
 */
export async function compileTogether<Compiled>(
  templates: readonly Template[],
  { context, compile, onCompiled }: TogetherOptions<Compiled>,
): Promise<void> {
  const shared = { ...context, together: templates };
  // What waits for the worker most of the time goes along with what doesn't. MJML in a thread of its own gains nothing:
  // what the second core does is to make the same compiler fast once more.
  const kinds = [templates.filter(isInWorker), templates.filter((template) => !isInWorker(template))];
  await Promise.all(
    kinds.map((kind) => inLanes(kind, async (template) => onCompiled(template, await compile(template, shared)))),
  );
}

function isInWorker({ engine }: Template): boolean {
  return engine === "react";
}
