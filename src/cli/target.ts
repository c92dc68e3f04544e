import { type CallPolicy, ONCE } from "../api/calls/policy.js";
import type { Hooks } from "../api/calls/caller.js";
import { type Client, type ClientV3, createClient } from "../api/client.js";
import { UnreachableError } from "../api/errors.js";
import { type Environment, resolveEnvironment } from "../project/environment.js";
import { ConfigurationError } from "../errors.js";
import type { Project } from "../project/load-project.js";
import { findOtherOwner } from "../project/local-owner.js";
import { smtp } from "../smtp/index.js";
import { LOCAL_SEED } from "./local-seed.js";
import type { Output } from "./output.js";

interface OpenService {
  readonly environment: Environment;
  /** Whether the local service was started only for this command. */
  readonly isTransient: boolean;
  close(): Promise<void>;
}

/** The service that a command uses. Templates and sending work the same in both API versions. */
export type Target = OpenService &
  ({ readonly version: "v4"; readonly client: Client } | { readonly version: "v3"; readonly client: ClientV3 });

export interface TargetOptions extends Hooks {
  /** Default: each call is tried once and without a pace, so that an unreachable service is noticed at once. */
  readonly policy?: Partial<CallPolicy>;
  /** Whether a local service that is started receives emails by SMTP. Default: false. */
  readonly receivesSmtp?: boolean;
}

/** Resolves the environment from the flag, environment variables and the configuration. */
export function projectTarget(project: Project, name: string | undefined): Environment {
  return resolveEnvironment({
    caller: "command",
    name,
    environments: project.environments,
    defaultEnvironment: project.defaultEnvironment,
    cwd: project.folder,
  });
}

/** Like `projectTarget`, for sending messages: by SMTP if the environment says so. Then it needs no URL and key. */
export function sendingTarget(project: Project, name: string | undefined): Environment {
  const environments = Object.entries(project.environments).map(([each, environment]) => [
    each,
    environment.transport === "smtp" ? { ...environment, smtp: smtp() } : environment,
  ]);
  return projectTarget({ ...project, environments: Object.fromEntries(environments) }, name);
}

/** The environment; undefined if it can't be used, for example because its key is missing. */
export function ifUsable(resolve: () => Environment): Environment | undefined {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

/** Opens the environment's service, and closes it after use. */
export async function withTarget<Result>(
  project: Project,
  name: string | undefined,
  output: Output,
  use: (target: Target) => Promise<Result>,
  options: TargetOptions = {},
): Promise<Result> {
  const target = await openTarget(project, name, output, options);
  try {
    return await use(target);
  } finally {
    await target.close();
  }
}

/**
 * Opens the environment's service. If the local service is not running, it is started for the duration of the command, with
 * the same data.
 */
export async function openTarget(
  project: Project,
  name: string | undefined,
  output: Output,
  { receivesSmtp = false, ...options }: TargetOptions,
): Promise<Target> {
  const environment = projectTarget(project, name);
  if (environment.name !== "local" || environment.searchedFrom === undefined) {
    output.note(`Environment ${environment.name}: ${environment.domain} at ${environment.url}`);
    return connect(environment.name === "local" ? withLocalAssets(environment) : environment, options);
  }
  // If no service responds, it belongs to nobody.
  const signal = AbortSignal.timeout(2000);
  const owner = await findOtherOwner(environment.url, project.folder, signal).catch(() => undefined);
  if (owner !== undefined) output.note(`The local service at ${environment.url} belongs to another project: ${owner}`);
  else if (await isReachable(environment)) {
    output.note(`Environment local: ${environment.domain} at ${environment.url}`);
    return connect(withLocalAssets(environment), options);
  }
  const { startService } = await import("../service/index.js");
  const service = await startService({
    data: project.dataFolder,
    assets: project.roots,
    ...(receivesSmtp ? { seed: LOCAL_SEED } : { smtpPort: false }),
  });
  output.note(`Environment local: ${environment.domain} at ${service.url}, started for this command`);
  const target = connect(withLocalAssets({ ...environment, url: service.url }), options);
  return {
    ...target,
    isTransient: true,
    close: async () => {
      await target.close();
      await service.close();
    },
  };
}

/** The local service hosts the project's images, unless the environment has `assets`. */
export function withLocalAssets(environment: Environment): Environment {
  return { ...environment, assets: environment.assets ?? { baseUrl: `${environment.url}/assets` } };
}

export function connect(environment: Environment, options: Omit<TargetOptions, "receivesSmtp">): Target {
  const { url: baseUrl, apiKey, allowInsecure, version } = environment;
  // Each command decides what to retry, and when.
  const settings = { baseUrl, apiKey, allowInsecure, policy: ONCE, ...options };
  if (version === "v3") {
    const client = createClient({ ...settings, version });
    return { environment, version, client, isTransient: false, close: () => client.close() };
  }
  const client = createClient({ ...settings, version });
  return { environment, version, client, isTransient: false, close: () => client.close() };
}

/** Whether a service responds. An error response also counts. */
async function isReachable({ url: baseUrl, apiKey }: Environment): Promise<boolean> {
  const client = createClient({ baseUrl, apiKey, policy: ONCE });
  try {
    await client.account.get({ timeoutMs: 2000 });
    return true;
  } catch (error) {
    return !(error instanceof UnreachableError);
  } finally {
    await client.close();
  }
}
