import { RUNTIME_KEY } from "./key.js";
import { ModuleRuntime } from "./module-runtime.js";

const runtimes = new Map<string | undefined, ModuleRuntime>();

/** Puts the runtime where rewritten modules look for it. */
export function installRuntime(): void {
  Reflect.set(globalThis, Symbol.for(RUNTIME_KEY), runtimeOf);
}

function runtimeOf(file?: string): ModuleRuntime {
  const runtime = runtimes.get(file) ?? new ModuleRuntime(file);
  runtimes.set(file, runtime);
  return runtime;
}
