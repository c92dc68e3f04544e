import type { Diagnostic } from "../../diagnostic.js";
import { ALL_NAMES, type EnvironmentRead } from "../../modules/reads.js";
import type { EnvironmentEffect } from "./environment-effects.js";

/** Reports environment variables that a component's own modules read and that change the body: their values stay in it. */
export function environmentReads(
  reads: readonly EnvironmentRead[],
  effects: readonly EnvironmentEffect[],
  template: string,
): Diagnostic[] {
  return reads.flatMap(({ name, isSet, at }): Diagnostic[] => {
    const effect = effects.find((each) => each.name === name);
    if (!at || (!effect && name !== ALL_NAMES)) return [];
    const base = { rule: "environment-read", template, at, hint: HINT };
    return effect?.isPrintedUndefined && !isSet
      ? [{ ...base, severity: "error", message: `${name} is not set, and the compiled HTML contains "undefined".` }]
      : [{ ...base, severity: "warning", message: warningOf(name, isSet) }];
  });
}

const HINT = "Write the value into the template, or pass it as a variable. For image URLs, set assets.baseUrl.";

function warningOf(name: string, isSet: boolean): string {
  const unset = isSet ? "" : ", where it is not set";
  if (name === ALL_NAMES)
    return "The names of environment variables are listed at compile time, so the body contains those of this machine.";
  return `${name} is read at compile time, so the body contains its value on this machine${unset}.`;
}
