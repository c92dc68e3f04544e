import type { CompileContext } from "../../../render/engine.js";
import type { CompileResult, Template } from "../../../project/template.js";
import { compileAll } from "../../../render/compile.js";
import { diagnosticOf } from "./failures.js";

/** The page shows that a template is compiling if it takes longer than this. */
const MOMENT_MS = 1000;

/** Interval in ms at which progress is checked. */
const CHECK_MS = 100;

export interface Watchfulness {
  /** Whether to start this template. False if more urgent work has come up. */
  readonly mayBegin: (template: Template) => boolean;
  /** How long a template's code may run while other work waits. Undefined if none does. */
  readonly patienceMs: () => number | undefined;
  /** Called when compiling takes longer than a moment. */
  readonly onSlow: () => void;
}

/** Compiles templates, and interrupts code that holds up other work. */
export async function compileWatched(
  batch: readonly Template[],
  context: CompileContext,
  { mayBegin, patienceMs, onSlow }: Watchfulness,
): Promise<CompileResult[]> {
  const { host } = context;
  const slow = setTimeout(onSlow, MOMENT_MS);
  const checkProgress = (): void => {
    if (host.busyMs() > (patienceMs() ?? Infinity)) host.interrupt();
  };
  // Results that arrived while this thread was busy are handled before the check.
  const interval = setInterval(() => setImmediate(checkProgress), CHECK_MS);
  try {
    return await compileBatch(batch, context, mayBegin);
  } finally {
    clearTimeout(slow);
    clearInterval(interval);
  }
}

/** Compiles templates. If that is impossible, because a compiler is missing for example, the results say why. */
export async function compileBatch(
  templates: readonly Template[],
  context: CompileContext,
  mayBegin: (template: Template) => boolean,
): Promise<CompileResult[]> {
  try {
    return await compileAll(templates, context, mayBegin);
  } catch (error) {
    const [template, ...others] = templates;
    if (!template) return [];
    if (others.length === 0)
      return [{ name: template.name, template, diagnostics: [diagnosticOf(error, template.name)] }];
    // Compiling one by one shows which templates it concerns.
    const results: CompileResult[] = [];
    for (const each of templates) results.push(...(await compileBatch([each], context, mayBegin)));
    return results;
  }
}
