import { Bundles } from "../process/bundle.js";
import { readVariablesModule, type VariablesModule } from "../project/variables-module.js";
import type { Template } from "../project/template.js";
import type { CompileContext } from "./engine.js";

/** Reads `variables.ts`, or else the type of a component's props; undefined for a template with neither. */
export async function readVariables(template: Template, context: CompileContext): Promise<VariablesModule | undefined> {
  const { host, locale, timeZone, together = [] } = context;
  const { variablesFile } = template;
  if (variablesFile === undefined) {
    if (template.engine !== "react") return undefined;
    const { readTypedVariables } = await import("./react/typed-variables.js");
    return readTypedVariables(template, context);
  }
  const bundles = runs.get(together) ?? new Bundles(together.flatMap((each) => each.variablesFile ?? []));
  runs.set(together, bundles);
  return readVariablesModule(host, { ...template, variablesFile }, { locale, timeZone }, (file) => bundles.get(file));
}

const runs = new WeakMap<readonly Template[], Bundles>();
