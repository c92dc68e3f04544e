import { Bundles } from "../modules/bundles.js";
import { readVariablesModule, type VariablesModule } from "../template/variables-module.js";
import type { Template } from "../template/template.js";
import type { CompileContext } from "./engine.js";

/** What `variables.ts` says; undefined for a template without one. */
export async function readVariables(
  template: Template,
  { host, locale, timeZone, together = [] }: CompileContext,
): Promise<VariablesModule | undefined> {
  const { variablesFile } = template;
  if (variablesFile === undefined) return undefined;
  const bundles = runs.get(together) ?? new Bundles(together.flatMap((each) => each.variablesFile ?? []));
  runs.set(together, bundles);
  return readVariablesModule(host, { ...template, variablesFile }, { locale, timeZone }, (file) => bundles.get(file));
}

const runs = new WeakMap<readonly Template[], Bundles>();
