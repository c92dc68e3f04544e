import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigurationError } from "../errors.js";
import type { TargetEnvironment } from "./environment.js";
import { withoutSecrets } from "./secrets.js";

type Environments = Readonly<Record<string, Pick<TargetEnvironment, "keyVariable">>>;

/** What a project's own variables begin with, so that its code gets them. */
export const PROJECT_PREFIX = "TEMPLATES_";

/** The same, and what frameworks take for public: they put it into pages that everybody can read. */
const PREFIXES = [PROJECT_PREFIX, "NEXT_PUBLIC_", "VITE_", "PUBLIC_", "REACT_APP_"];

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
 * The environment variables that a project's own code gets, whichever command runs it: what programs need, what begins with
 * `TEMPLATES_`, and what frameworks take for public. Nothing that is named or built like a secret is among them.
 *
 * @example
 * projectVariables({}, { LANG: "en", TEMPLATES_BRAND: "Acme", PGPASSWORD: "p" }); // { LANG: "en", TEMPLATES_BRAND: "Acme" }
 */
export function projectVariables(environments: Environments, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(withoutSecrets(environments, env)).filter(([name]) => isPassed(name)));
}

/**
 * The variables that a project's templates get: the same, and its own and the public ones of its `.env` file that the
 * environment doesn't set. In CI that file is not read: a build there goes by what the pipeline sets.
 *
 * @throws {ConfigurationError} The file can't be read.
 */
export function templateVariables(
  { environments, envFile }: { readonly environments: Environments; readonly envFile?: string },
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  if (envFile === undefined || isCi(env)) return projectVariables(environments, env);
  // All of the file: its keys tell which of the others are copies of them.
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
    throw new ConfigurationError(`${file} can't be read, and is the configuration's envFile.`, { cause });
  }
}

function isPassed(name: string): boolean {
  const upper = name.toUpperCase();
  return SYSTEM_VARIABLES.has(upper) || upper.startsWith("LC_") || isOfProject(upper);
}

function isOfProject(name: string): boolean {
  return PREFIXES.some((prefix) => name.startsWith(prefix));
}
