import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigurationError } from "../errors.js";
import { PASSED_PREFIXES } from "../process/unset-variables.js";
import type { TargetEnvironment } from "./environment.js";

type Environments = Readonly<Record<string, Pick<TargetEnvironment, "keyVariable">>>;

/** A word in a variable's name that indicates a secret. */
const secretWord =
  /(?:^(?:PG)?|_)(?:API_?KEYS?|KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASS|PASSPHRASE|CREDENTIALS?|AUTH)(?:_|$)/i;

/** `scheme://user:password@host` or, for Postgres, `scheme:///database?password=password` */
const credentialsInUrl = /:\/\/(?:[^/\s:@]*:[^/\s@]+@|\S*[?&]password=)/i;

/**
 * The variables that user code must not read: the environments' keys, variables with the same value, and others whose name or
 * value looks like a secret.
 */
export function secretNames(environments: Environments, env: NodeJS.ProcessEnv = process.env): string[] {
  const keyVariables = new Set([
    "LETTERSHOP_API_KEY",
    ...Object.values(environments).map(({ keyVariable }) => keyVariable),
  ]);
  const keys = new Set([...keyVariables].map((name) => env[name]).filter(Boolean));
  return Object.entries(env)
    .filter(
      ([name, value = ""]) =>
        keyVariables.has(name) || keys.has(value) || secretWord.test(name) || credentialsInUrl.test(value),
    )
    .map(([name]) => name);
}

/** The environment variables without secrets, for user code. */
export function withoutSecrets(environments: Environments, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const secret = new Set(secretNames(environments, env));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.has(name)));
}

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
  return PASSED_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/**
 * Erases variables from `/proc/PID/environ`, which every process of the same user may read. It contains the environment at the
 * start of this process, even if `process.env` has changed. `process.env` keeps the variables.
 *
 * Only Linux exposes that memory as a file and lets a process write to its own. Elsewhere, or if writing is forbidden, this does
 * nothing.
 */
export function hideFromSystem(names: readonly string[]): void {
  if (process.platform !== "linux" || names.length === 0) return;
  // Setting a variable again moves its value to a different address.
  for (const name of names) {
    const value = process.env[name];
    delete process.env[name];
    if (value !== undefined) process.env[name] = value;
  }
  try {
    overwrite(new Set(names));
  } catch {
    // This is only one of several protections (docs/decisions/0011), and not every system supports it.
  }
}

function overwrite(names: ReadonlySet<string>): void {
  const { start, end } = environmentBlock();
  const memory = openSync("/proc/self/mem", "r+");
  try {
    const block = Buffer.alloc(end - start);
    readSync(memory, block, 0, block.length, start);
    for (let from = 0, to = 0; from < block.length; from = to + 1) {
      to = block.indexOf(0, from);
      if (to === -1) to = block.length;
      const [name = ""] = block.toString("utf8", from, to).split("=", 1);
      if (names.has(name)) writeSync(memory, Buffer.alloc(to - from), 0, to - from, start + from);
    }
  } finally {
    closeSync(memory);
  }
}

/** Fields 50 and 51 of proc_pid_stat(5). Field 2, the command's name, may contain spaces and parentheses. */
function environmentBlock(): { readonly start: number; readonly end: number } {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { start: Number(fields[50 - 3]), end: Number(fields[51 - 3]) };
}

/** The browser for screenshots, if `CHROMIUM_PATH` is set. */
export function chromiumPath({ CHROMIUM_PATH: file }: NodeJS.ProcessEnv = process.env): string | undefined {
  return file === undefined || file === "" ? undefined : file;
}

/** The file for a CI system's Markdown job summary, if GitHub's `GITHUB_STEP_SUMMARY` is set. */
export function ciSummaryFile({ GITHUB_STEP_SUMMARY: file }: NodeJS.ProcessEnv = process.env): string | undefined {
  return file === undefined || file === "" ? undefined : file;
}
