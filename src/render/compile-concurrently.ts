import { Interruption } from "../process/host.js";
import type { Template } from "../project/template.js";
import type { CompileContext } from "./engine.js";
import { inLanes } from "./lanes.js";

export interface ConcurrencyOptions<Compiled> {
  readonly context: CompileContext;
  readonly compile: (template: Template, context: CompileContext) => Promise<Compiled>;
  /** Receives each template as soon as it is compiled. */
  readonly onCompiled: (template: Template, compiled: Compiled) => void;
  /** Whether to begin this one; if not, none is begun after it. */
  readonly mayBegin?: ((template: Template) => boolean) | undefined;
}

/**
 * Compiles templates that are not in the cache, several at a time. Templates whose compilation is interrupted are
 * omitted.
 *
 * @throws {MissingPeerError} The compiler of one of them is not installed.
 */
export async function compileConcurrently<Compiled>(
  templates: readonly Template[],
  { context, compile, onCompiled, mayBegin }: ConcurrencyOptions<Compiled>,
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
  // Bundling calls back into this thread at every import. After it, the worker is busy from the start.
  if (components.length > 0) await prepare(components, shared);
  try {
    // Components mostly wait for the worker, so this thread can compile others meanwhile.
    await Promise.all([
      inLanes(takeWhile(components, mayBegin), LANES.waiting, one),
      inLanes(takeWhile(others, mayBegin), mjml ? LANES.waiting : mayBegin ? 1 : LANES.here, one),
    ]);
  } finally {
    await mjml?.close();
  }
}

/**
 * How many templates are compiled at a time: enough to keep a worker or a thread busy, and few in memory. If `mayBegin` is
 * set, something urgent may come up, so other templates are compiled one by one.
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
