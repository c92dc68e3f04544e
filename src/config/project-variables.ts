import type { TargetEnvironment } from "./environment.js";
import { withoutSecrets } from "./secrets.js";

/** What a project's own variables begin with, so that its code gets them. */
export const PROJECT_PREFIX = "TEMPLATES_";

/** What programs need to run and to print, in upper case: Windows ignores the case. */
const SYSTEM_VARIABLES = new Set(
  [
    "PATH HOME USER LOGNAME SHELL TMPDIR TEMP TMP TZ LANG LANGUAGE LD_LIBRARY_PATH",
    "CI TERM COLORTERM NO_COLOR FORCE_COLOR",
    "NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS",
    "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA USERPROFILE",
    "PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS",
    "LETTERSHOP_ENV LETTERSHOP_URL LETTERSHOP_DOMAIN",
  ].flatMap((names) => names.split(" ")),
);

/**
 * The environment variables that a project's own code gets, whichever command runs it: what programs need, and what begins
 * with `TEMPLATES_`. Nothing that is named or built like a secret is among them.
 *
 * @example
 * projectVariables({}, { LANG: "en", TEMPLATES_BRAND: "Acme", PGPASSWORD: "p" }); // { LANG: "en", TEMPLATES_BRAND: "Acme" }
 */
export function projectVariables(
  environments: Readonly<Record<string, Pick<TargetEnvironment, "keyVariable">>>,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(withoutSecrets(environments, env)).filter(([name]) => isPassed(name)));
}

function isPassed(name: string): boolean {
  const upper = name.toUpperCase();
  return SYSTEM_VARIABLES.has(upper) || upper.startsWith("LC_") || upper.startsWith(PROJECT_PREFIX);
}
