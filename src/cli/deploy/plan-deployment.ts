import { readFileSync } from "node:fs";
import path from "node:path";
import { isIncluded, remoteName } from "../../project/environment.js";
import { PLAIN_MARKER, type Project } from "../../project/load-project.js";
import type { VariablesContract } from "../../mustache/variables.js";
import { attempt } from "../../files.js";
import { matchesPattern } from "../../text/pattern.js";
import { passedBy } from "../../registry/compare.js";
import {
  createPlan,
  environmentKey,
  type LocalTemplate,
  type Plan,
  type PlanChoices,
  type PlanInput,
  readRemote,
  readWritten,
  wantedBodies,
} from "../../sync/index.js";
import type { PlanDocument } from "../report/plan/document.js";
import { planDocument } from "../report/plan/plan-document.js";
import { planProgress } from "../report/plan/progress.js";
import type { GitCommit } from "../git.js";
import type { Target } from "../target.js";
import type { DeployTarget } from "./deploy-target.js";
import { type LocalSide, localName } from "./local-side.js";
import { markerText } from "../../text/marker.js";
import { type LockFile, noLock, openLock } from "./lock-file.js";

/** What to deploy, and where. */
export interface Deployment extends DeployTarget {
  /** Resolves while the service's list of templates is read. */
  readonly local: Promise<LocalSide>;
  /** Whether only some of the project's templates are deployed; the plan ignores the others. */
  readonly isPartial: boolean;
  readonly choices: PlanChoices;
  /** How to read the service. Default: always from the service. */
  readonly read?: typeof readRemote;
  /** The commit of the deployed templates, if known. */
  readonly commit?: () => Promise<GitCommit | undefined>;
  /** What applications pass, by the template's name in the project. Default: from the registry. */
  readonly passed?: ReadonlyMap<string, VariablesContract>;
}

/** The choices for a plan that is only shown. */
export function cautious({ sync: { renames } }: Pick<Project, "sync">): PlanChoices {
  return { renames, prune: false, letsThrough: () => false };
}

export interface PlannedDeployment {
  readonly input: PlanInput;
  readonly plan: Plan;
  readonly lock: LockFile;
}

/** The folder of an environment's journals and backups. */
export function stateFolder({ dataFolder }: Project, { environment: { name } }: Target): string {
  return path.join(dataFolder, "sync", encodeURIComponent(name));
}

/** Identifies the target of a journal or a plan. The local service's URL is left out, because its port changes. */
export function targetKey({ environment }: Target): string {
  return environmentKey(environment.name === "local" ? { ...environment, url: "local" } : environment);
}

/** The environment's lock. The local service has none, because reading it is cheap. */
export function lockOf(deployTarget: DeployTarget): LockFile {
  const { project, target, output } = deployTarget;
  return hasLock(deployTarget) ? openLock(project, targetKey(target), output) : noLock;
}

export function hasLock({ project, target }: DeployTarget): boolean {
  return project.sync.lock && target.environment.name !== "local";
}

/** Reads the service's templates and makes the plan. */
export async function planDeployment(deployment: Deployment): Promise<PlannedDeployment> {
  const { project, target, observer, output, signal, choices, isPartial } = deployment;
  const { read = readRemote, passed = passedBy(project) } = deployment;
  const { environment } = target;
  // Avoid an unhandled rejection if reading the list fails first.
  deployment.local.catch(() => undefined);
  const lock = lockOf(deployment);
  const isPrunable = (name: string) => {
    const own = localName(name, environment);
    return own !== undefined && project.sync.prune.some((pattern) => matchesPattern(pattern, own));
  };
  const base: Omit<PlanInput, "remote" | "local" | "present"> = {
    entries: lock.entries,
    written: await readWritten(stateFolder(project, target), targetKey(target)),
    markerText: markerText(project, environment),
    choices,
    isInReach: (name) => {
      const own = localName(name, environment);
      if (isPartial || own === undefined || !isIncluded(environment, own)) return false;
      // The default marker names no project, so other projects may use the same one.
      return project.sync.marker !== PLAIN_MARKER || lock.entries.has(name) || isPrunable(name);
    },
    isPrunable,
    contracts: new Map([...passed].map(([name, contract]) => [remoteName(environment, name), contract])),
    limit: (endpoint) => observer.limit(endpoint),
  };
  const progress = planProgress(output);
  const sideFor = async (summaries: PlanInput["remote"]["summaries"]) => {
    const { local, present } = await deployment.local;
    return { local, present: isPartial ? new Set(summaries.keys()) : present };
  };
  try {
    const remote = await read({
      client: target.client,
      domain: environment.domain,
      reached: () => observer.reached(),
      wanted: async (summaries) => wantedBodies(summaries, { ...base, ...(await sideFor(summaries)) }),
      signal,
      onEvent: progress.onEvent,
    });
    const input = { ...base, ...(await sideFor(remote.summaries)), remote };
    return { input, plan: createPlan(input), lock };
  } finally {
    progress.done();
  }
}

/** The plan as a document for all output formats. */
export function documentOf(
  { project: { folder }, target: { environment } }: DeployTarget,
  plan: Plan,
  local: readonly LocalTemplate[] = [],
): PlanDocument {
  return documentFor(plan, { environment }, local, folder);
}

/** Like `documentOf`, for any base of comparison. */
export function documentFor(
  plan: Plan,
  comparedWith: Pick<PlanDocument, "environment" | "base">,
  local: readonly LocalTemplate[],
  folder: string,
): PlanDocument {
  const readSource = (file: string) => attempt(() => readFileSync(path.join(folder, file), "utf8"));
  return planDocument(plan, { ...comparedWith, local, readSource });
}
