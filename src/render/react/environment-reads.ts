import type { Diagnostic } from "../../diagnostic.js";
import { ALL_NAMES, type EnvironmentRead } from "../../modules/reads.js";
import type { EnvironmentEffect } from "./environment-effects.js";

/** What a component's own modules read of the environment and its body depends on stays in it, wherever that goes. */
export function environmentReads(
  reads: readonly EnvironmentRead[],
  effects: readonly EnvironmentEffect[],
  template: string,
): Diagnostic[] {
  return reads.flatMap(({ name, isSet, at }): Diagnostic[] => {
    const effect = effects.find((each) => each.name === name);
    if (!at || (!effect && name !== ALL_NAMES)) return [];
    const found = { rule: "environment-read", template, at, hint: HINT };
    return effect?.isPrintedUndefined && !isSet
      ? [{ ...found, severity: "error", message: `${name} is not set, and the compiled html holds "undefined".` }]
      : [{ ...found, severity: "warning", message: warningOf(name, isSet) }];
  });
}

const HINT =
  "Write the value into the template, or pass it as a variable. For addresses of images, set assets.baseUrl.";

function warningOf(name: string, isSet: boolean): string {
  const here = isSet ? "" : ", where it is not set";
  if (name === ALL_NAMES)
    return "The environment's variables are listed while compiling: the body keeps those of this machine.";
  return `${name} is read while compiling: the body keeps what it is on this machine${here}.`;
}
