import type { Project } from "../../config/load.js";
import { observeService, type ServiceObserver } from "../../sync/index.js";
import type { Output } from "../output.js";
import { type Target, withTarget } from "../target.js";

/** An environment that templates are read from or applied to. */
export interface DeployTarget {
  readonly project: Project;
  readonly target: Target;
  /** What the service's answers say of its limits and its clock. */
  readonly observer: ServiceObserver;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Opens the environment's service at the pace that it allows, and closes it after use. */
export function withDeployTarget<Result>(
  common: Omit<DeployTarget, "target" | "observer">,
  name: string | undefined,
  use: (deployTarget: DeployTarget) => Promise<Result>,
): Promise<Result> {
  const observer = observeService();
  const open = (target: Target) => use({ ...common, target, observer });
  return withTarget(common.project, name, common.output, open, { pacing: true, ...observer.hooks });
}
