import path from "node:path";
import { refuseInsecure } from "../api/calls/base-url.js";
import { LOCAL_API_KEY, LOCAL_DOMAIN } from "../api/local.js";
import { matchesPattern } from "../pattern.js";
import { hasCredentials } from "./credentials.js";
import type { AssetsConfig, RecipientsConfig } from "./define.js";
import {
  credentialsInAddress,
  emptyPin,
  missingKey,
  missingVariable,
  notAnAddress,
  nothingTold,
  unknownEnvironment,
} from "./environment-errors.js";
import { isLoopbackUrl, locateLocalService } from "./local-service.js";

/** An environment that can be chosen, defaults filled in. */
export interface TargetEnvironment {
  readonly url: string;
  readonly domain: string;
  readonly version: "v4" | "v3";
  /** Name of the environment variable that holds the key. */
  readonly keyVariable: string;
  /** Whether the key may travel unencrypted to another machine. */
  readonly allowInsecure?: boolean;
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  readonly assets?: AssetsConfig;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly confirm?: boolean;
  readonly recipients?: RecipientsConfig;
}

/** The environment that a command or a mailer talks to. */
export interface Environment {
  /** `local`, a name from the configuration, or `custom` where options or variables alone describe it. */
  readonly name: string;
  readonly url: string;
  readonly domain: string;
  readonly version: "v4" | "v3";
  readonly apiKey: string;
  /** Whether the key may travel unencrypted to another machine. */
  readonly allowInsecure?: boolean;
  /** Empty where there is none. */
  readonly namePrefix: string;
  readonly nameSuffix: string;
  readonly assets?: AssetsConfig;
  /** Patterns of names in the project; absent for all. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Whether to ask before anything is changed there. */
  readonly confirm?: boolean;
  /** Who may get mail from it; absent for anybody. */
  readonly recipients?: RecipientsConfig;
  /**
   * Of `local`: the folder from which its service was looked for, so that another project's may be there. Absent where its URL
   * was given.
   */
  readonly searchedFrom?: string;
}

export interface EnvironmentChoice {
  /**
   * The caller. A command without a selected environment uses `local`; under CI it fails, also when `local` is the default.
   * With a selected environment it always needs that environment's key. A mailer uses `local` when it is selected by name, or
   * during development (NODE_ENV is `development` or `test`) when `local` is the default or there is no key, so that a
   * production application never sends there by accident.
   */
  readonly caller: "command" | "mailer";
  /** Default: LETTERSHOP_ENV, else `defaultEnvironment`. */
  readonly name?: string;
  /** Those of the configuration. */
  readonly environments?: Readonly<Record<string, TargetEnvironment>>;
  readonly defaultEnvironment?: string;
  /** Win over variables of the environment, which win over `environments`. */
  readonly options?: EnvironmentOptions;
  /** Where `.lettershop/service.json` is looked for, upwards. Default: the working directory. */
  readonly cwd?: string;
  /** Default: the process's. */
  readonly env?: NodeJS.ProcessEnv;
}

/** What a pipeline sets so that no configuration of a branch decides where the key goes. */
const PINS = ["LETTERSHOP_URL", "LETTERSHOP_DOMAIN"] as const;

/** The variables that a pipeline has to set, but has not, for it alone to decide where the key goes. */
export function missingPins(env: NodeJS.ProcessEnv = process.env): string[] {
  return PINS.filter((pin) => !env[pin]?.trim());
}

export interface EnvironmentOptions {
  readonly url?: string;
  readonly domain?: string;
  readonly apiKey?: string;
  readonly allowInsecure?: boolean;
}

/**
 * The environment to talk to, by options, then LETTERSHOP_ENV, LETTERSHOP_URL, LETTERSHOP_DOMAIN and the key's variable,
 * then the configuration. `local` is the local service: of the variables, only a LETTERSHOP_URL on this machine moves it, so that
 * a real key never goes there.
 *
 * @example
 * const { url, apiKey } = resolveEnvironment({ caller: "command", name: flags.env, environments: project.environments });
 *
 * @throws {ConfigurationError} No such environment, something is missing (names the variable or key to set), or the key
 * would travel unencrypted.
 */
export function resolveEnvironment(choice: EnvironmentChoice): Environment {
  const environment = chooseEnvironment(choice);
  refuseInsecure(environment.url, environment);
  return environment;
}

function chooseEnvironment(choice: EnvironmentChoice): Environment {
  const { caller, environments = {}, options = {}, env = process.env } = choice;
  const variable = (name: string): string | undefined => env[name]?.trim() || undefined;

  // A default meant for developers must not swallow an application's mail or a pipeline's deployment.
  const isDeployed = caller === "mailer" ? !isDeveloping(env) : isCi(env);
  const isLocalByDefault = choice.defaultEnvironment === "local" && isDeployed;
  const byDefault = isLocalByDefault ? undefined : choice.defaultEnvironment;
  const name = choice.name ?? variable("LETTERSHOP_ENV") ?? byDefault;
  if (name === "local") return local(choice);

  if (caller === "command" && isCi(env)) for (const pin of PINS) if (env[pin]?.trim() === "") throw emptyPin(pin);
  const configured = name === undefined ? undefined : ownValue(environments, name);
  const keyVariable = configured?.keyVariable ?? "LETTERSHOP_API_KEY";
  const url = options.url ?? variable("LETTERSHOP_URL") ?? configured?.url;
  const domain = options.domain ?? variable("LETTERSHOP_DOMAIN") ?? configured?.domain;
  const apiKey = options.apiKey ?? variable(keyVariable);

  // Where no configuration is at hand, options and variables may describe an environment that has a name.
  const isDescribed = Object.keys(environments).length === 0 && url !== undefined && domain !== undefined;
  if (name !== undefined && configured === undefined && !isDescribed) throw unknownEnvironment(name, environments);
  if (caller === "mailer" && apiKey === undefined && isDeveloping(env)) return local({ ...choice, options: {} });
  const mayBeLocal = caller === "command" && !isCi(env);
  if (name === undefined && domain === undefined && (url === undefined || (mayBeLocal && isLoopbackUrl(url)))) {
    if (mayBeLocal) return local(choice);
    throw nothingTold(caller, environments, isLocalByDefault);
  }
  if (url === undefined) throw missingVariable("LETTERSHOP_DOMAIN", "LETTERSHOP_URL");
  if (domain === undefined) throw missingVariable("LETTERSHOP_URL", "LETTERSHOP_DOMAIN");
  if (apiKey === undefined) throw missingKey(name, keyVariable, caller);
  return {
    name: name ?? "custom",
    url: webAddress(url),
    domain,
    version: configured?.version ?? "v4",
    apiKey,
    namePrefix: configured?.namePrefix ?? "",
    nameSuffix: configured?.nameSuffix ?? "",
    ...insecurity(options.allowInsecure ?? configured?.allowInsecure),
    ...settingsOf(configured),
  };
}

/** Whether a command with this `--env` may turn out to talk to the local service, as far as can be known without the configuration. */
export function canBeLocal(name: string | undefined, env: NodeJS.ProcessEnv = process.env): boolean {
  return ((name ?? env["LETTERSHOP_ENV"]?.trim()) || "local") === "local";
}

function insecurity(allowInsecure = false): Pick<Environment, "allowInsecure"> {
  return allowInsecure ? { allowInsecure } : {};
}

function settingsOf(configured: TargetEnvironment | undefined): Partial<Environment> {
  const { assets, include, exclude, confirm, recipients } = configured ?? {};
  return {
    ...(assets && { assets }),
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(confirm && { confirm }),
    ...(recipients && { recipients }),
  };
}

/** A template's name on the service. */
export function remoteName(
  { namePrefix, nameSuffix }: Pick<Environment, "namePrefix" | "nameSuffix">,
  name: string,
): string {
  return `${namePrefix}${name}${nameSuffix}`;
}

/** Whether an environment gets a template, by its name in the project. */
export function isIncluded({ include, exclude = [] }: Pick<Environment, "include" | "exclude">, name: string): boolean {
  const fits = (pattern: string): boolean => matchesPattern(pattern, name);
  return (include === undefined || include.some(fits)) && !exclude.some(fits);
}

function local({ options = {}, cwd = process.cwd(), env }: EnvironmentChoice): Environment {
  const folder = path.resolve(cwd);
  const { url, isGiven } =
    options.url === undefined ? locateLocalService(folder, env) : { url: options.url, isGiven: true };
  return {
    name: "local",
    url: webAddress(url),
    ...(isGiven ? {} : { searchedFrom: folder }),
    domain: options.domain ?? LOCAL_DOMAIN,
    version: "v4",
    apiKey: options.apiKey ?? LOCAL_API_KEY,
    ...insecurity(options.allowInsecure),
    namePrefix: "",
    nameSuffix: "",
  };
}

/** A name such as `constructor` is no environment. */
function ownValue<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function isDeveloping({ NODE_ENV }: NodeJS.ProcessEnv): boolean {
  return NODE_ENV === "development" || NODE_ENV === "test";
}

function webAddress(url: string): string {
  if (hasCredentials(url) || /^[^/]*@/.test(url)) throw credentialsInAddress();
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (protocol === "https:" || protocol === "http:") return url;
  throw notAnAddress(url);
}

function isCi({ CI = "" }: NodeJS.ProcessEnv): boolean {
  return /^(?:true|1)$/i.test(CI);
}
