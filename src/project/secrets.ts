import type { TargetEnvironment } from "./environment.js";

type Environments = Readonly<Record<string, Pick<TargetEnvironment, "keyVariable">>>;

/** A word in a variable's name that indicates a secret. */
const secretWord =
  /(?:^|_)(?:API_?KEYS?|KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASS|PASSPHRASE|CREDENTIALS?|AUTH)(?:_|$)/i;

/** `scheme://user:password@host` */
const credentialsInUrl = /:\/\/[^/\s:@]*:[^/\s@]+@/;

/**
 * The variables that user code must not read: the environments' keys, variables with the same value, and others whose name or
 * value looks like a secret.
 *
 * @example
 * secretNames({}, { LETTERSHOP_API_KEY: "k", NPM_TOKEN: "t", LANG: "en" }); // ["LETTERSHOP_API_KEY", "NPM_TOKEN"]
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
