import type { CompileContext } from "../../../render/engine.js";
import type { CompileResult, Template } from "../../../template/template.js";
import { compileBatch } from "./compile-batch.js";

/** A person is told that something is compiled when it takes longer. */
const MOMENT_MS = 1000;

/** How often to see how it goes. */
const LOOK_MS = 100;

export interface Watchfulness {
  /** Whether to begin this one: not where something more urgent has come up. */
  readonly mayBegin: (template: Template) => boolean;
  /** How long a template's code may run while something waits for it to end; undefined where nothing does. */
  readonly patienceMs: () => number | undefined;
  /** It takes longer than a moment. */
  readonly onSlow: () => void;
}

/** Compiles templates, but for those whose code holds up others. */
export async function compileWatched(
  batch: readonly Template[],
  context: CompileContext,
  { mayBegin, patienceMs, onSlow }: Watchfulness,
): Promise<CompileResult[]> {
  const { host } = context;
  const slow = setTimeout(onSlow, MOMENT_MS);
  const look = (): void => {
    if (host.busyMs() > (patienceMs() ?? Infinity)) host.interrupt();
  };
  // What ended while this thread was busy is heard of before the look.
  const looking = setInterval(() => setImmediate(look), LOOK_MS);
  try {
    return await compileBatch(batch, context, mayBegin);
  } finally {
    clearTimeout(slow);
    clearInterval(looking);
  }
}
