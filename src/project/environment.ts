import path from "node:path";
import { refuseInsecure } from "../api/calls/base-url.js";
import { isLoopback, LOCAL_API_KEY, LOCAL_DOMAIN, LOCAL_SMTP_PORT } from "../api/local.js";
import { matchesPattern } from "../text/pattern.js";
import type { EnvironmentConfig } from "./config.js";
import { isLoopbackUrl, locateLocalService } from "./local-service.js";
import { ConfigurationError } from "../errors.js";
import { nearest } from "../text/nearest.js";
import type { SmtpResolver, SmtpServer } from "./smtp-server.js";

/** A configured environment with defaults applied. */
export interface TargetEnvironment extends EnvironmentConfig {
  readonly version: "v4" | "v3";
  readonly keyVariable: string;
}

/** The environment that a command or a mailer uses. */
export interface Environment extends Omit<TargetEnvironment, "keyVariable" | "url" | "transport"> {
  /** Of the service. If a mailer sends by SMTP and no service is known, `smtp://HOST:PORT`; then `apiKey` is empty. */
  readonly url: string;
  /** `local`, a name from the configuration, or `custom` if only options or environment variables describe it. */
  readonly name: string;
  readonly apiKey: string;
  /** Set if a mailer sends by SMTP. */
  readonly smtp?: SmtpServer;
  /** Empty if there is none. */
  readonly namePrefix: string;
  readonly nameSuffix: string;
  /**
   * Only for `local`: the folder from which its service was searched. The service found may belong to another project. Absent if
   * the URL was given explicitly, or messages go to another SMTP server.
   */
  readonly searchedFrom?: string;
}

export interface EnvironmentChoice {
  /**
   * The caller. A command without a selected environment uses `local`; in CI it fails, even if `local` is the default. With a
   * selected environment, it always needs that environment's key. A mailer uses `local` if it is selected by name, or in
   * development (NODE_ENV is `development` or `test`) if `local` is the default or there is no key. So a production application
   * never sends to `local` by accident.
   */
  readonly caller: "command" | "mailer";
  /** Default: LETTERSHOP_ENV, else `defaultEnvironment`. */
  readonly name?: string;
  /** The environments in the configuration. */
  readonly environments?: Readonly<Record<string, TargetEnvironment & { readonly smtp?: SmtpResolver }>>;
  readonly defaultEnvironment?: string;
  /** Override environment variables, which override `environments`. */
  readonly options?: EnvironmentOptions;
  /** The folder to search for `.lettershop/service.json`, including its parents. Default: the working directory. */
  readonly cwd?: string;
  /** Default: `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Variables that a pipeline sets, so that a branch's configuration can't decide where the key is sent. */
const PINS = ["LETTERSHOP_URL", "LETTERSHOP_DOMAIN"] as const;

/** The pins that are not set. */
export function missingPins(env: NodeJS.ProcessEnv = process.env): string[] {
  return PINS.filter((pin) => !env[pin]?.trim());
}

export interface EnvironmentOptions {
  readonly url?: string;
  readonly domain?: string;
  readonly apiKey?: string;
  readonly allowInsecure?: boolean;
  /** Sends by SMTP, as an environment with `transport: "smtp"` in a registry does. */
  readonly transport?: SmtpResolver | undefined;
}

/**
 * Resolves the environment from options, then the variables LETTERSHOP_ENV, LETTERSHOP_URL, LETTERSHOP_DOMAIN and the key
 * variable, then the configuration. For `local`, all variables are ignored except for a LETTERSHOP_URL on this machine, and the
 * server's for SMTP if that is on this machine, so that a real key is never sent there.
 *
 * @throws {ConfigurationError} There is no such environment, a setting is missing (the message names it), or the key would be
 * sent unencrypted.
 */
export function resolveEnvironment(choice: EnvironmentChoice): Environment {
  const environment = chooseEnvironment(choice);
  if (environment.apiKey !== "") refuseInsecure(environment.url, environment);
  return environment;
}

function chooseEnvironment(choice: EnvironmentChoice): Environment {
  const { caller, environments = {}, options = {}, env = process.env } = choice;
  const variable = (name: string): string | undefined => env[name]?.trim() || undefined;

  // Ignore `defaultEnvironment: "local"` in production and CI, where it would swallow messages and deployments.
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

  // Without a configuration, options and variables may describe a named environment.
  const isDescribed = Object.keys(environments).length === 0 && url !== undefined && domain !== undefined;
  if (name !== undefined && configured === undefined && !isDescribed) throw unknownEnvironment(name, environments);
  const transport = options.transport ?? configured?.smtp;
  if (caller === "mailer" && configured?.transport === "smtp" && !transport) throw noTransport(name);
  const mayFallBack = caller === "mailer" && isDeveloping(env);
  const smtp = transport?.resolve({ variable, url: url && validUrl(url), domain, apiKey, isRequired: !mayFallBack });
  if (mayFallBack && (transport ? smtp : apiKey) === undefined)
    return local({ ...choice, options: { transport: options.transport } });
  const mayBeLocal = caller === "command" && !isCi(env);
  const rest = {
    name: name ?? "custom",
    version: configured?.version ?? "v4",
    namePrefix: configured?.namePrefix ?? "",
    nameSuffix: configured?.nameSuffix ?? "",
    allowInsecure: options.allowInsecure ?? configured?.allowInsecure,
    assets: configured?.assets,
    include: configured?.include,
    exclude: configured?.exclude,
    confirm: configured?.confirm,
    recipients: configured?.recipients,
  };
  if (smtp !== undefined) return { ...rest, ...smtp };
  if (name === undefined && domain === undefined && (url === undefined || (mayBeLocal && isLoopbackUrl(url)))) {
    if (mayBeLocal) return local(choice);
    throw noEnvironmentSelected(caller, environments, isLocalByDefault);
  }
  if (url === undefined) throw missingUrl(name, configured !== undefined);
  if (domain === undefined) throw missingVariable("LETTERSHOP_URL", "LETTERSHOP_DOMAIN");
  if (apiKey === undefined) throw missingKey(name, keyVariable, caller);
  return { ...rest, url: validUrl(url), domain, apiKey };
}

/** Whether a command with this `--env` may use the local service. Does not consider the configuration. */
export function canBeLocal(name: string | undefined, env: NodeJS.ProcessEnv = process.env): boolean {
  return ((name ?? env["LETTERSHOP_ENV"]?.trim()) || "local") === "local";
}

/** A template's name on the service. */
export function remoteName(
  { namePrefix, nameSuffix }: Pick<Environment, "namePrefix" | "nameSuffix">,
  name: string,
): string {
  return `${namePrefix}${name}${nameSuffix}`;
}

/** Whether an environment includes a template, by its name in the project. */
export function isIncluded({ include, exclude = [] }: Pick<Environment, "include" | "exclude">, name: string): boolean {
  const matches = (pattern: string): boolean => matchesPattern(pattern, name);
  return (include === undefined || include.some(matches)) && !exclude.some(matches);
}

function local({ options = {}, cwd = process.cwd(), env }: EnvironmentChoice): Environment {
  const folder = path.resolve(cwd);
  const { url, isGiven, smtpPort } =
    options.url === undefined
      ? locateLocalService(folder, env)
      : { url: options.url, isGiven: true, smtpPort: undefined };
  const { domain, apiKey = LOCAL_API_KEY, transport, allowInsecure } = options;
  const service = { url: validUrl(url), domain, apiKey };
  const smtp = transport?.resolve({
    ...service,
    variable: loopbackVariable(env),
    local: { smtpPort },
    isRequired: true,
  });
  // Another server on this machine may be used whatever project the local service belongs to.
  const isOfService = smtp === undefined || smtp.smtp.port === (smtpPort ?? LOCAL_SMTP_PORT);
  return {
    name: "local",
    ...(!isGiven && isOfService && { searchedFrom: folder }),
    version: "v4",
    allowInsecure,
    namePrefix: "",
    nameSuffix: "",
    ...(smtp ?? { ...service, domain: domain ?? LOCAL_DOMAIN }),
  };
}

/** The variables, if they name an SMTP server on this machine. */
function loopbackVariable(env: NodeJS.ProcessEnv = process.env): (name: string) => string | undefined {
  const host = env["LETTERSHOP_SMTP_HOST"]?.trim().toLowerCase() ?? "";
  return (name) => (isLoopback(host) ? env[name]?.trim() || undefined : undefined);
}

/** Looks up own properties only: `constructor` is not an environment. */
function ownValue<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function isDeveloping({ NODE_ENV }: NodeJS.ProcessEnv): boolean {
  return NODE_ENV === "development" || NODE_ENV === "test";
}

function validUrl(url: string): string {
  if (hasCredentials(url) || /^[^/]*@/.test(url))
    throw new ConfigurationError("The service URL contains a user name or password.", {
      hint: "Remove them. The API key comes from the environment variable that `keyVariable` names.",
    });
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (protocol === "https:" || protocol === "http:") return url;
  throw new ConfigurationError(`"${url}" is not a valid service URL.`, {
    hint: "It must begin with https:// or http://.",
  });
}

function isCi({ CI = "" }: NodeJS.ProcessEnv): boolean {
  return /^(?:true|1)$/i.test(CI);
}

/**
 * Whether a URL contains a user name or password. The service's URL is printed and written to the registry, so it must not
 * contain secrets.
 */
export function hasCredentials(url: string): boolean {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: "", password: "" };
  return username !== "" || password !== "";
}

/**
 * LETTERSHOP_STORE: the store that mailers write and that the outbox commands read, a path or the address of a Postgres
 * database.
 */
export function storeSetting(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env["LETTERSHOP_STORE"]?.trim() || undefined;
}

/** A store that is a database rather than a file. */
export const POSTGRES_ADDRESS = /^postgres(?:ql)?:\/\//i;

function unknownEnvironment(name: string, environments: object): ConfigurationError {
  const names = ["local", ...Object.keys(environments)];
  const near = nearest(name, names);
  return new ConfigurationError(`There is no environment "${name}".`, {
    hint:
      near === undefined
        ? `Environments: ${names.join(", ")}. You can define more in lettershop.config.ts.`
        : `Did you mean ${near}?`,
  });
}

/** @param isLocalByDefault Whether the configuration's default is `local`, which is only used in development. */
function noEnvironmentSelected(
  caller: EnvironmentChoice["caller"],
  environments: object,
  isLocalByDefault: boolean,
): ConfigurationError {
  const names = [...Object.keys(environments), "local"].join(", ");
  const [where, option] = caller === "command" ? [" under CI", "--env"] : ["", '"environment"'];
  const reason = isLocalByDefault ? ": the default, local, is only for development" : "";
  const inDevelopment = isLocalByDefault && caller === "mailer" ? " In development, set NODE_ENV=development." : "";
  return new ConfigurationError(`No environment is selected${where}${reason}.`, {
    hint: `Set ${option} or LETTERSHOP_ENV to one of: ${names}. Or set LETTERSHOP_URL, LETTERSHOP_DOMAIN and LETTERSHOP_API_KEY.${inDevelopment}`,
  });
}

/** The mailer's environment sends by SMTP, and nothing that does so was loaded. */
export function noTransport(name: string | undefined): ConfigurationError {
  return new ConfigurationError(`The environment "${name}" sends by SMTP, and the registry is older.`, {
    hint: "Run: templates types --bodies",
  });
}

function missingUrl(name: string | undefined, isConfigured: boolean): ConfigurationError {
  if (!isConfigured) return missingVariable("LETTERSHOP_DOMAIN", "LETTERSHOP_URL");
  return new ConfigurationError(`The environment "${name}" has no URL of a service: it only sends by SMTP.`, {
    hint: "Set `url` in lettershop.config.ts to use its templates or logs.",
  });
}

function missingVariable(present: string, missing: string): ConfigurationError {
  return new ConfigurationError(`${present} is set, but ${missing} is not.`, {
    hint: `Set ${missing} as well, or select an environment from the configuration with LETTERSHOP_ENV.`,
  });
}

/** @param own This project's folder. The message shortens both folders to their last name if these differ. */
export function otherProjectsService(url: string, own: string, other: string): ConfigurationError {
  const names = [own, other].map((folder) => folder.split(/[\\/]/).findLast(Boolean) ?? folder);
  const [ours, theirs] = names[0] === names[1] ? [own, other] : names;
  return new ConfigurationError(
    `The local service at ${url} belongs to another project: ${theirs}. This project is ${ours}.`,
    {
      hint: `Run "templates service" in ${ours} and restart the application, or set LETTERSHOP_URL=${url} to use that service anyway.`,
    },
  );
}

/** Refuses an empty pin: a pipeline that refers to an undefined variable would silently run without it. */
function emptyPin(variable: string): ConfigurationError {
  return new ConfigurationError(`${variable} is set but empty.`, {
    hint: "Set its value in the pipeline's settings, or remove it.",
  });
}

function missingKey(
  name: string | undefined,
  keyVariable: string,
  caller: EnvironmentChoice["caller"],
): ConfigurationError {
  const environment = name === undefined ? "The environment" : `The environment "${name}"`;
  const instead =
    caller === "command" ? "" : " In development, set NODE_ENV=development to send to the local service instead.";
  return new ConfigurationError(`${environment} has no key: ${keyVariable} is not set.`, {
    hint: `Set ${keyVariable} to its API key.${instead}`,
  });
}
