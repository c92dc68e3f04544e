import { type Client, createClient } from "../api/client.js";
import { UnreachableError } from "../api/errors.js";
import { type Environment, resolveEnvironment } from "../config/environment.js";
import type { Project } from "../config/load.js";
import { ConfigurationError } from "../errors.js";
import type { Output } from "./output.js";

/** The service that a command talks to. */
export interface Target {
  readonly environment: Environment;
  readonly client: Client;
  /** Whether the local service runs for this command alone. */
  readonly isTransient: boolean;
  close(): Promise<void>;
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
): Promise<Result> {
  const target = await openTarget(project, name, output);
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
async function openTarget(project: Project, name: string | undefined, output: Output): Promise<Target> {
  const environment = projectTarget(project, name);
  if (environment.name !== "local") {
    output.note(`Environment ${environment.name}: ${environment.domain} at ${environment.url}`);
    const client = clientOf(environment);
    return { environment, client, isTransient: false, close: () => client.close() };
  }
  const running = clientOf(environment);
  if (await answers(running)) {
    output.note(`Environment local: ${environment.domain} at ${environment.url}`);
    return {
      environment: withLocalAssets(environment),
      client: running,
      isTransient: false,
      close: () => running.close(),
    };
  }
  await running.close();
  const { startService } = await import("../service/index.js");
  const service = await startService({ data: project.dataFolder, assets: project.roots });
  const started = withLocalAssets({ ...environment, url: service.url });
  const client = clientOf(started);
  output.note(`Environment local: ${environment.domain} at ${service.url}, started for this command`);
  return {
    environment: started,
    client,
    isTransient: true,
    close: async () => {
      await client.close();
      await service.close();
    },
  };
}

/** The local service itself shows the project's images, unless they are said to be elsewhere. */
function withLocalAssets(environment: Environment): Environment {
  return { ...environment, assets: environment.assets ?? { baseUrl: `${environment.url}/assets` } };
}

function clientOf({ name, url, apiKey, version }: Environment): Client {
  if (version === "v3") {
    throw new ConfigurationError(
      `The environment "${name}" asks for version 3 of the API, and the commands speak version 4.`,
      {
        hint: `Remove version: "v3" from the environment in the configuration.`,
      },
    );
  }
  // Sync waits limits out by itself, and says so; whether a service is there is to be known at once.
  return createClient({ baseUrl: url, apiKey, version, pacing: false, retries: 0 });
}

/** Whether a service is there; an answer that refuses is an answer. */
async function answers(client: Client): Promise<boolean> {
  try {
    await client.account.get({ timeoutMs: 2000 });
    return true;
  } catch (error) {
    return !(error instanceof UnreachableError);
  }
}
