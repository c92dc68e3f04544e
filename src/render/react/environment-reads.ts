import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { ALL_NAMES, type EnvironmentRead } from "../../modules/reads.js";
import type { Sources } from "./sources.js";

/**
 * What a component's own modules read of the environment stays in the body, wherever that goes.
 *
 * @param html The rendered body: what is not set shows in it as the word "undefined", mostly in an address.
 */
export function environmentReads(
  reads: readonly EnvironmentRead[],
  html: string,
  { template, sources }: { readonly template: string; readonly sources: Sources },
): Diagnostic[] {
  const showsUndefined = /<[^>]*\bundefined\b[^>]*>/.test(html);
  return reads.flatMap(({ name, isSet, at }): Diagnostic[] => {
    if (!at) return [];
    const isMissed = !isSet && showsUndefined && isPutIntoText(name, at, sources);
    const found = { rule: "environment-read", template, at, hint: HINT };
    return isMissed
      ? [{ ...found, severity: "error", message: `${name} is not set, and the compiled html holds "undefined".` }]
      : [{ ...found, severity: "warning", message: warningOf(name, isSet) }];
  });
}

/** Whether the line has the variable as `${process.env.NAME}`, or adds it to something. */
function isPutIntoText(name: string, { file, line = 0 }: SourcePosition, sources: Sources): boolean {
  const text = sources.get(file)?.split("\n")[line - 1] ?? "";
  return new RegExp(`\\$\\{[\\w.]*\\.${name}\\s*\\}|[\\w.]*\\.${name}\\s*\\+|\\+\\s*[\\w.]*\\.${name}\\b`).test(text);
}

const HINT =
  "Write the value into the template, or pass it as a variable. For addresses of images, set assets.baseUrl.";

function warningOf(name: string, isSet: boolean): string {
  const here = isSet ? "" : ", where it is not set";
  if (name === ALL_NAMES)
    return "The environment's variables are listed while compiling: the body keeps those of this machine.";
  return `${name} is read while compiling: the body keeps what it is on this machine${here}.`;
}
