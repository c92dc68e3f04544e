import type { Hooks } from "../api/calls/hooks.js";
import { type Client, type ClientV3, createClient } from "../api/client.js";
import { UnreachableError } from "../api/errors.js";
import { type Environment, resolveEnvironment } from "../config/environment.js";
import type { Project } from "../config/load.js";
import { otherOwner } from "../config/local-owner.js";
import type { Output } from "./output.js";

interface OpenService {
  readonly environment: Environment;
  /** Whether the local service runs for this command alone. */
  readonly isTransient: boolean;
  close(): Promise<void>;
}

interface Connection {
  readonly version: "v4";
  readonly client: Client;
}

interface ConnectionV3 {
  readonly version: "v3";
  readonly client: ClientV3;
}

/** The service that a command talks to. Templates and sending are the same in both versions. */
export type Target = OpenService & (Connection | ConnectionV3);

export interface TargetOptions extends Hooks {
  /**
   * Whether calls wait for their turn by what the service says of its limits. Default false: whether a service is there is
   * to be known at once.
   */
  readonly pacing?: boolean;
}

/** The environment by the flag, the variables and the configuration. */
export function projectTarget(project: Project, name: string | undefined): Environment {
  return resolveEnvironment({
    caller: "command",
    ...(name === undefined ? {} : { name }),
    environments: project.environments,
    ...(project.defaultEnvironment === undefined ? {} : { defaultEnvironment: project.defaultEnvironment }),
    cwd: project.folder,
  });
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
 * Opens the environment's service. The local service, where it is not running, is started for as long as the command
 * takes, on the same data.
 */
export async function openTarget(
  project: Project,
  name: string | undefined,
  output: Output,
  options: TargetOptions,
): Promise<Target> {
  const environment = projectTarget(project, name);
  if (environment.name !== "local" || environment.searchedFrom === undefined) {
    output.note(`Environment ${environment.name}: ${environment.domain} at ${environment.url}`);
    return connect(environment.name === "local" ? withLocalAssets(environment) : environment, options);
  }
  const owner = await ownerOf(environment, project.folder);
  if (owner !== undefined) output.note(`The local service at ${environment.url} is for another project: ${owner}`);
  else if (await answers(environment)) {
    output.note(`Environment local: ${environment.domain} at ${environment.url}`);
    return connect(withLocalAssets(environment), options);
  }
  const { startService } = await import("../service/index.js");
  const service = await startService({ data: project.dataFolder, assets: project.roots });
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

/** The local service itself shows the project's images, unless they are said to be elsewhere. */
export function withLocalAssets(environment: Environment): Environment {
  return { ...environment, assets: environment.assets ?? { baseUrl: `${environment.url}/assets` } };
}

export function connect(environment: Environment, options: TargetOptions): Target {
  const { url: baseUrl, apiKey, allowInsecure, version } = environment;
  // What may be repeated, and when, each command knows best.
  const settings = { baseUrl, apiKey, allowInsecure, pacing: false, retries: 0, ...options };
  if (version === "v3") {
    const client = createClient({ ...settings, version });
    return { environment, version, client, isTransient: false, close: () => client.close() };
  }
  const client = createClient({ ...settings, version });
  return { environment, version, client, isTransient: false, close: () => client.close() };
}

/** Undefined where it is this project's, or where none answers that could be asked. */
async function ownerOf({ url }: Environment, folder: string): Promise<string | undefined> {
  return otherOwner(url, folder, AbortSignal.timeout(2000)).catch(() => undefined);
}

/** Whether a service is there; an answer that refuses is an answer. */
async function answers({ url: baseUrl, apiKey }: Environment): Promise<boolean> {
  const client = createClient({ baseUrl, apiKey, pacing: false, retries: 0 });
  try {
    await client.account.get({ timeoutMs: 2000 });
    return true;
  } catch (error) {
    return !(error instanceof UnreachableError);
  } finally {
    await client.close();
  }
}
