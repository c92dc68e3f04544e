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
  const one = async (template: Template): Promise<void> => onCompiled(template, await compile(template, shared));
  const components = templates.filter(isInWorker);
  const others = templates.filter((template) => !isInWorker(template));
  // Bundling asks this thread for a turn at every import. With that behind it, the worker is busy from the start.
  if (components.length > 0) await prepare(components, shared);
  // What waits for the worker most of the time goes along with what doesn't. MJML in a thread of its own gains nothing:
  // what the second core does is to make the same compiler fast once more.
  await Promise.all([inLanes(components, LANES.components, one), inLanes(others, LANES.others, one)]);
}

/** As many are at work at a time: enough to keep the worker busy, and few in memory. */
const LANES = { components: 6, others: 3 };

async function prepare(components: readonly Template[], context: CompileContext): Promise<void> {
  const { prepareComponents } = await import("./react/prepare.js");
  await prepareComponents(components, context);
}

function isInWorker({ engine }: Template): boolean {
  return engine === "react";
}
