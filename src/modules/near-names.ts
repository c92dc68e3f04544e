import { nearest } from "../nearest.js";
import type { Failure } from "./protocol.js";

/** Node's message where a name is imported that a module does not have. */
const NO_EXPORT = /'(.+)' does not provide an export named '(.+)'/;

/** The module that was asked for a name, by its address, and the name, where that is what a message says. */
export function missingExport(message: string): readonly [module: string, name: string] | undefined {
  const [, module, name] = NO_EXPORT.exec(message) ?? [];
  return module === undefined || name === undefined ? undefined : [module, name];
}

/** With the name that a mistyped one most likely meant. */
export async function withNearName(failure: Failure, thrown: unknown): Promise<Failure> {
  const [module = "", name = ""] = (thrown instanceof Error && missingExport(thrown.message)) || [];
  if (!module.startsWith("file:")) return failure;
  // It was about to be loaded anyway.
  const exported = await import(module).then(
    (all: object) => Object.keys(all),
    () => [],
  );
  const near = nearest(name, exported);
  return near === undefined ? failure : { ...failure, hint: `Did you mean ${near}?` };
}
