import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigurationError } from "../errors.js";
import type { TargetEnvironment } from "./environment.js";
import { withoutSecrets } from "./secrets.js";

type Environments = Readonly<Record<string, Pick<TargetEnvironment, "keyVariable">>>;

/** The prefix of environment variables that project code can read. */
export const PROJECT_PREFIX = "TEMPLATES_";

/** Also the prefixes that frameworks treat as public, because they include these variables in pages. */
const PREFIXES = [PROJECT_PREFIX, "NEXT_PUBLIC_", "VITE_", "PUBLIC_", "REACT_APP_"];

/** Variables that programs need to run and print. In upper case, because Windows ignores case. */
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
 * The environment variables that project code can read, in every command: those that programs need, those that begin with
 * `TEMPLATES_`, and those that frameworks treat as public. Variables whose name or value looks like a secret are excluded.
 *
 * @example
 * projectVariables({}, { LANG: "en", TEMPLATES_BRAND: "Acme", PGPASSWORD: "p" }); // { LANG: "en", TEMPLATES_BRAND: "Acme" }
 */
export function projectVariables(environments: Environments, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(withoutSecrets(environments, env)).filter(([name]) => isPassed(name)));
}

/**
 * The variables that templates can read: `projectVariables`, plus such variables from the project's `.env` file that the
 * environment doesn't set. In CI, that file is ignored, so that only the pipeline decides.
 *
 * @throws {ConfigurationError} The file can't be read.
 */
export function templateVariables(
  { environments, envFile }: { readonly environments: Environments; readonly envFile?: string },
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  if (envFile === undefined || isCi(env)) return projectVariables(environments, env);
  // Use the whole file, to also exclude variables that are copies of its keys.
  const passed = projectVariables(environments, { ...readEnvFile(envFile), ...env });
  return Object.fromEntries(Object.entries(passed).filter(([name]) => isOfProject(name) || Object.hasOwn(env, name)));
}

function isCi({ CI: value = "" }: NodeJS.ProcessEnv): boolean {
  return !["", "0", "false"].includes(value);
}

function readEnvFile(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return {};
    throw new ConfigurationError(`Can't read ${file}, the \`envFile\` of the configuration.`, { cause });
  }
}

function isPassed(name: string): boolean {
  const upper = name.toUpperCase();
  return SYSTEM_VARIABLES.has(upper) || upper.startsWith("LC_") || isOfProject(upper);
}

function isOfProject(name: string): boolean {
  return PREFIXES.some((prefix) => name.startsWith(prefix));
}
