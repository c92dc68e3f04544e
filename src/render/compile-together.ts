import { Interruption } from "../modules/interruption.js";
import type { Template } from "../template/template.js";
import type { CompileContext } from "./engine.js";
import { inLanes } from "./lanes.js";

export interface TogetherOptions<Compiled> {
  readonly context: CompileContext;
  readonly compile: (template: Template, context: CompileContext) => Promise<Compiled>;
  /** Is given each one as soon as it is compiled. */
  readonly onCompiled: (template: Template, compiled: Compiled) => void;
  /** Whether to begin this one; where not, none is begun after it. */
  readonly mayBegin?: ((template: Template) => boolean) | undefined;
}

/**
 * Compiles templates, none of which is in the cache: as many at a time as the machine and its memory are good for. What is
 * interrupted meanwhile is left out.
 *
 * @throws {MissingPeerError} The compiler of one of them is not installed.
 */
export async function compileTogether<Compiled>(
  templates: readonly Template[],
  { context, compile, onCompiled, mayBegin }: TogetherOptions<Compiled>,
): Promise<void> {
  const mjml = await renderThread(templates, context);
  const shared = { ...context, together: templates, ...(mjml && { mjml }) };
  const one = async (template: Template): Promise<void> => {
    try {
      onCompiled(template, await compile(template, shared));
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
    }
  };
  const components = templates.filter(isInWorker);
  const others = templates.filter((template) => !isInWorker(template));
  // Bundling asks this thread for a turn at every import. With that behind it, the worker is busy from the start.
  if (components.length > 0) await prepare(components, shared);
  try {
    // What waits for the worker most of the time goes along with what doesn't.
    await Promise.all([
      inLanes(takeWhile(components, mayBegin), LANES.waiting, one),
      inLanes(takeWhile(others, mayBegin), mjml ? LANES.waiting : mayBegin ? 1 : LANES.here, one),
    ]);
  } finally {
    await mjml?.close();
  }
}

/**
 * As many are at work at a time: enough to keep a worker or a thread busy, and few in memory. Where something urgent may come
 * up, it waits for one.
 */
const LANES = { waiting: 6, here: 3 };

function* takeWhile<Item>(items: readonly Item[], isTaken?: (item: Item) => boolean): Iterable<Item> {
  for (const item of items) {
    if (isTaken?.(item) === false) return;
    yield item;
  }
}

async function renderThread(templates: readonly Template[], context: CompileContext) {
  if (!templates.some(({ engine }) => engine === "mjml")) return undefined;
  const { renderThreadFor } = await import("./mjml/render-thread.js");
  return renderThreadFor(templates, context);
}

async function prepare(components: readonly Template[], context: CompileContext): Promise<void> {
  const { prepareComponents } = await import("./react/prepare.js");
  await prepareComponents(components, context);
}

function isInWorker({ engine }: Template): boolean {
  return engine === "react";
}
