import type { Environment } from "../../project/environment.js";
import type { Project } from "../../project/load-project.js";
import { LOCAL_DOMAIN } from "../../api/local.js";
import { ConfigurationError } from "../../errors.js";
import type { EnvironmentChoice } from "../../preview/contract.js";
import { ifUsable, projectTarget, sendingTarget } from "../target.js";

type IsSeen = (variable: string) => boolean;

/** The environments that the preview offers, `local` first. */
export function environmentChoices(project: Project | undefined, isSeen: IsSeen): EnvironmentChoice[] {
  const configured = Object.entries(project?.environments ?? {}).filter(([name]) => name !== "local");
  return [
    { name: "local", domain: LOCAL_DOMAIN, hasKey: true, canSend: true, isProtected: false },
    ...configured.map(([name, { domain, confirm = false }]) => ({
      name,
      domain,
      hasKey: project !== undefined && ifUsable(() => usableEnvironment(project, name, isSeen)) !== undefined,
      canSend: project !== undefined && ifUsable(() => sendingEnvironment(project, name, isSeen)) !== undefined,
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
  refuseSeen(project.environments[name]?.keyVariable, "key", isSeen);
  return projectTarget(project, name);
}

/** The same for sending, which may be by SMTP. */
export function sendingEnvironment(project: Project, name: string, isSeen: IsSeen): Environment {
  const { keyVariable, transport } = project.environments[name] ?? {};
  refuseSeen(keyVariable, "key", isSeen);
  if (transport === "smtp") refuseSeen("LETTERSHOP_SMTP_PASSWORD", "password", isSeen);
  return sendingTarget(project, name);
}

function refuseSeen(variable: string | undefined, use: string, isSeen: IsSeen): void {
  if (variable !== undefined && isSeen(variable))
    throw new ConfigurationError(`${variable} isn't used as a ${use}, because template code can read it.`, {
      hint: "Start the preview again.",
    });
}
