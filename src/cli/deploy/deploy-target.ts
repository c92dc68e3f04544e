import { NO_RETRIES } from "../../api/calls/policy.js";
import type { TargetEnvironment } from "../../project/environment.js";
import type { Project } from "../../project/load-project.js";
import { ConfigurationError } from "../../errors.js";
import { environmentKey, observeService, type ServiceObserver } from "../../sync/index.js";
import type { Output } from "../output.js";
import { type Target, withTarget } from "../target.js";

/** An environment that templates are read from or applied to. */
export interface DeployTarget {
  readonly project: Project;
  readonly target: Target;
  /** The service's limits and clock, as seen in its responses. */
  readonly observer: ServiceObserver;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/**
 * Opens a client for the environment's service that respects its rate limits, and closes it after use.
 *
 * @throws {ConfigurationError} Another environment has the same templates; its settings would be ignored.
 */
export function withDeployTarget<Result>(
  common: Omit<DeployTarget, "target" | "observer">,
  name: string | undefined,
  use: (deployTarget: DeployTarget) => Promise<Result>,
): Promise<Result> {
  const observer = observeService();
  const open = (target: Target) => {
    refuseShared(target.environment, common.project.environments);
    return use({ ...common, target, observer });
  };
  return withTarget(common.project, name, common.output, open, { policy: NO_RETRIES, ...observer.hooks });
}

function refuseShared(chosen: Target["environment"], environments: Project["environments"]): void {
  const key = keyOf(chosen);
  const other = Object.entries(environments).find(([name, each]) => name !== chosen.name && keyOf(each) === key)?.[0];
  if (other === undefined) return;
  if (chosen.name === "custom")
    throw new ConfigurationError(
      `LETTERSHOP_URL and LETTERSHOP_DOMAIN point to the environment ${other}, but its settings would be ignored: ${key}.`,
      {
        hint: `Select it with --env ${other}.`,
      },
    );
  throw new ConfigurationError(`The environments ${chosen.name} and ${other} have the same templates: ${key}.`, {
    hint: "Give one of them a different domain or `namePrefix`. LETTERSHOP_URL and LETTERSHOP_DOMAIN override the configuration.",
  });
}

function keyOf({
  url,
  domain,
  namePrefix = "",
  nameSuffix = "",
}: Pick<TargetEnvironment, "url" | "domain" | "namePrefix" | "nameSuffix">): string {
  // Without a service, an environment has no templates.
  return environmentKey({
    url: url === undefined ? "" : new URL(url).href,
    domain: domain.toLowerCase(),
    namePrefix,
    nameSuffix,
  });
}
