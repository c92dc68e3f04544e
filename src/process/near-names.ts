import { nearest } from "../text/nearest.js";
import type { Failure } from "./protocol.js";

/** Node's message for importing a name that a module doesn't export. */
const NO_EXPORT = /'(.+)' does not provide an export named '(.+)'/;

/** The module's URL and the missing name, if a message reports a missing export. */
export function missingExport(message: string): readonly [module: string, name: string] | undefined {
  const [, module, name] = NO_EXPORT.exec(message) ?? [];
  return module === undefined || name === undefined ? undefined : [module, name];
}

/** Suggests the name that was most likely meant. */
export async function withNearName(failure: Failure, thrown: unknown): Promise<Failure> {
  const [module = "", name = ""] = (thrown instanceof Error && missingExport(thrown.message)) || [];
  if (!module.startsWith("file:")) return failure;
  // The failed import had loaded it already.
  const exported = await import(module).then(
    (all: object) => Object.keys(all),
    () => [],
  );
  const near = nearest(name, exported);
  return near === undefined ? failure : { ...failure, hint: `Did you mean ${near}?` };
}
