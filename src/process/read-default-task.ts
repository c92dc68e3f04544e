import type { Bundle } from "./bundle.js";
import type { Reads } from "./module-inputs.js";
import type { TaskContext } from "./host.js";

export type DefaultExport =
  | { readonly kind: "value"; readonly value: unknown; readonly reads: Reads }
  | { readonly kind: "missing" }
  | { readonly kind: "not-data"; readonly reason: string };

/** A no-op that starts the worker in advance. */
export function awaitReading(): void {}

export async function readDefaultExport(bundle: Bundle, context: TaskContext): Promise<DefaultExport> {
  const exports = await context.load(bundle);
  if (!("default" in exports)) return { kind: "missing" };
  try {
    return { kind: "value", value: structuredClone(exports.default), reads: context.reads() };
  } catch (error) {
    return { kind: "not-data", reason: error instanceof Error ? error.message : String(error) };
  }
}
