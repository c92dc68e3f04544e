import type { Environment } from "../../project/environment.js";
import type { Project } from "../../project/load-project.js";
import { LOCAL_DOMAIN } from "../../api/local.js";
import { ConfigurationError } from "../../errors.js";
import type { EnvironmentChoice } from "../../preview/contract.js";
import { ifUsable, projectTarget } from "../target.js";

type IsSeen = (variable: string) => boolean;

/** The environments that the preview offers, `local` first. */
export function environmentChoices(project: Project | undefined, isSeen: IsSeen): EnvironmentChoice[] {
  const configured = Object.entries(project?.environments ?? {}).filter(([name]) => name !== "local");
  return [
    { name: "local", domain: LOCAL_DOMAIN, hasKey: true, isProtected: false },
    ...configured.map(([name, { domain, confirm = false }]) => ({
      name,
      domain,
      hasKey: project !== undefined && ifUsable(() => usableEnvironment(project, name, isSeen)) !== undefined,
      isProtected: confirm,
    })),
  ];
}

/**
 * Resolves an environment with its key.
 *
 * @throws {ConfigurationError} There is no such environment, or it has no key.
 */
export function usableEnvironment(project: Project, name: string, isSeen: IsSeen): Environment {
  const { keyVariable = "" } = project.environments[name] ?? {};
  if (isSeen(keyVariable))
    throw new ConfigurationError(`${keyVariable} isn't used as a key, because template code can read it.`, {
      hint: "Start the preview again.",
    });
  return projectTarget(project, name);
}
