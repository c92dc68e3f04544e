import { writeFile } from "node:fs/promises";
import path from "node:path";
import { LettershopError } from "../../errors.js";
import { VERSION } from "../../version.js";
import { UsageError } from "../arguments.js";
import { askYesNo, canAsk, confirmEnvironment } from "../ask.js";
import { type ExitCode, exitCode } from "../command.js";
import type { GitCommit } from "../git.js";
import {
  createPlan,
  type Held,
  type Knowledge,
  openRun,
  operationsOf,
  type Plan,
  type PlanChoices,
  PlanStaleError,
  printPlanFile,
  type Run,
  updateEntries,
} from "../../sync/index.js";
import type { PlanDocument } from "../report/plan/document.js";
import { planMarkdown } from "../report/plan/markdown.js";
import { heldFlag, withResult } from "../report/plan/plan-document.js";
import { printPlan, printResult } from "../report/plan/terminal.js";
import { applyDeployment, exitOf } from "./apply-deployment.js";
import type { DeployTarget } from "./deploy-target.js";
import {
  type Deployment,
  documentOf,
  hasLock,
  planDeployment,
  type PlannedDeployment,
  stateFolder,
  targetKey,
} from "./plan-deployment.js";
import { environmentFlag, type LetThroughFlags, refuseUnknownNames } from "./deploy-flags.js";
import { lockFile } from "./lock-file.js";
import { writeSummaries } from "./summaries.js";
import { refuseUnwritable, cannotWrite } from "../failure.js";

export interface DeployOptions {
  /** Only shows the plan. */
  readonly dryRun: boolean;
  /** Only shows the plan, and exits with `exitCode.changes` if anything would change or is held back. */
  readonly check: boolean;
  /** Only shows the plan, and writes it to this absolute path. */
  readonly out?: string;
  /** The absolute path for the Markdown summary. */
  readonly summary?: string;
  readonly yes: boolean;
  readonly wait: boolean;
  /** Templates that flags let through; each must be in the plan. */
  readonly letThrough: LetThroughFlags;
  /** The value of `--from`: the build's folder. */
  readonly from?: string | undefined;
  /** The command that continues an incomplete run. */
  readonly again: string;
  /** The command that shows complete diffs. Default: \`templates diff\`. */
  readonly seeAll?: string;
}

/** Plans, shows the plan and, unless options say otherwise, applies it. */
export async function deploy(deployment: Deployment, options: DeployOptions): Promise<ExitCode> {
  // Avoid an unhandled rejection if another step fails first.
  deployment.local.catch(() => undefined);
  const isApplying = !options.dryRun && !options.check && options.out === undefined;
  if (!isApplying) return showPlan(deployment, await planNamed(deployment, options), options);
  return withRun(deployment, options, (run) => deployIn(run, deployment, options));
}

async function planNamed(deployment: Deployment, { letThrough }: DeployOptions): Promise<PlannedDeployment> {
  const planned = await planDeployment(deployment);
  refuseUnknownNames(planned, deployment.target.environment, letThrough);
  return planned;
}

/** Plans and applies within a run. Starts again if another machine has synced in between. */
export async function deployIn(run: Run, deployment: Deployment, options: DeployOptions): Promise<ExitCode> {
  try {
    return await planAndApply(run, deployment, options);
  } catch (error) {
    if (!(error instanceof PlanStaleError && error.isToRetry)) throw error;
    deployment.output.note("Another sync has changed this environment in the meantime. Planning again.");
    return deployIn(run, deployment, options);
  }
}

async function planAndApply(run: Run, deployment: Deployment, options: DeployOptions): Promise<ExitCode> {
  const planned = await planNamed(deployment, options).catch((error: unknown) => {
    if (deployment.signal.aborted) deployment.output.note("Interrupted while reading. Nothing was applied.");
    throw error;
  });
  const show = ({ plan, input }: PlannedDeployment) => {
    const document = documentOf(deployment, plan, input.local);
    printPlan(document, deployment.output);
    return document;
  };
  const document = show(planned);
  refuseToEmpty(planned);
  const decided = await decideHeld(deployment, planned, options);
  const commit = await deployment.commit?.();
  const end = decided === planned ? document : show(decided);
  return applyPlanned(deployment, { ...decided, commit }, end, run, options);
}

/**
 * Opens the environment's run, which excludes other runs on this machine, and closes it after use.
 *
 * @throws {ConfigurationError} The lock is not writable.
 */
export async function withRun(
  deployTarget: DeployTarget,
  { wait }: Pick<DeployOptions, "wait">,
  use: (run: Run) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { project, target, output, signal } = deployTarget;
  if (hasLock(deployTarget)) refuseUnwritable(lockFile(project), "The lock");
  const run = await openRun({
    folder: stateFolder(project, target),
    target: targetKey(target),
    wait,
    signal,
    onEvent: (event) => {
      if (event.kind === "held")
        output.note(`Another sync of ${target.environment.name} is running. Waiting for it to end.`);
    },
  });
  try {
    return await use(run);
  } finally {
    await run.close();
  }
}

async function showPlan(deployment: Deployment, planned: PlannedDeployment, options: DeployOptions): Promise<ExitCode> {
  const { check, out, from } = options;
  const { output } = deployment;
  const { plan, input } = planned;
  const document = documentOf(deployment, plan, input.local);
  printPlan(document, output);
  if (out !== undefined) {
    refuseToEmpty(planned);
    const commit = await deployment.commit?.();
    const metadata = { at: new Date().toISOString(), lettershop: VERSION, ...(commit !== undefined && { commit }) };
    await writeFile(out, printPlanFile({ environment: targetKey(deployment.target), made: metadata, plan })).catch(
      (cause: unknown) => {
        throw cannotWrite(out, "The plan", cause);
      },
    );
    const file = path.relative(process.cwd(), out);
    const source = from === undefined ? [] : [`--from ${from}`];
    const command = ["templates sync", ...environmentFlag(deployment.target.environment), ...source, `--plan ${file}`];
    output.note(`The plan is in ${file}. To apply it, run: ${command.join(" ")}`);
  }
  output.json(document);
  await summarise(document, deployment, options);
  if (plan.obstacles.length > 0) return exitCode.findings;
  const wouldChange = plan.steps.length + plan.held.length > 0;
  return check && wouldChange ? exitCode.changes : exitCode.done;
}

/** On a terminal, asks what to do with each template that is held back; elsewhere leaves them alone. */
async function decideHeld(
  { output, signal }: Deployment,
  planned: PlannedDeployment,
  { yes }: DeployOptions,
): Promise<PlannedDeployment> {
  const undecided = planned.plan.held.filter(({ kind }) => kind !== "breaking" && kind !== "reused");
  if (!canAsk() || output.isJson || yes || undecided.length === 0) return planned;
  const letThrough: Held[] = [];
  for (const held of undecided) {
    const question = `${inWords(held)} ${questionAbout(held)}`;
    if (await askYesNo(question, { flag: heldFlag(held), signal })) letThrough.push(held);
  }
  if (letThrough.length === 0) return planned;
  const choices: PlanChoices = {
    ...planned.input.choices,
    letsThrough: (reason, name) =>
      planned.input.choices.letsThrough(reason, name) ||
      letThrough.some((held) => held.kind === reason && held.name === name),
  };
  return { ...planned, plan: createPlan({ ...planned.input, choices }) };
}

function questionAbout({ kind, changes }: Held): string {
  if (kind === "sourceDrifted") return "Apply it with these edits?";
  return kind === "drifted" && changes.length === 0
    ? "Delete it, including these edits?"
    : "Overwrite it with your version?";
}

function inWords({ kind, name, owner }: Held): string {
  if (kind === "foreign") return `${name} is managed by "${owner}".`;
  if (kind === "unknown") return `${name} differs on the service, and there is no record that this project applied it.`;
  if (kind === "sourceDrifted") return `${name} was edited in the source environment since it was applied there.`;
  return `${name} was edited on the service${kind === "drifted" ? "" : " and in the project"}.`;
}

/** The part of a planned deployment that applying needs. */
export interface Applicable extends Pick<PlannedDeployment, "plan" | "lock"> {
  readonly commit?: GitCommit | undefined;
  readonly input: Pick<PlannedDeployment["input"], "local" | keyof Knowledge>;
}

export async function applyPlanned(
  deployment: DeployTarget,
  planned: Applicable,
  document: PlanDocument,
  run: Run,
  options: Pick<DeployOptions, "summary" | "yes" | "wait" | "again" | "seeAll">,
): Promise<ExitCode> {
  const { yes, wait, again } = options;
  const { project, target, output, signal } = deployment;
  const { plan, input, lock } = planned;
  const finish = async (end: PlanDocument, code: ExitCode) => {
    output.json(end);
    await summarise(end, deployment, options);
    return code;
  };
  if (plan.obstacles.length > 0) {
    output.note("Nothing was applied.");
    return finish(document, exitCode.findings);
  }
  if (plan.steps.length === 0) {
    await lock.write(updateEntries({ ...input, plan, outcomes: [] }));
    return finish(document, plan.held.length > 0 ? exitCode.findings : exitCode.done);
  }
  const isConfirmed =
    (await confirmEnvironment(target.environment, { yes, signal })) && (yes || (await mayDelete(plan, signal)));
  if (!isConfirmed) {
    output.note("Nothing was applied.");
    return finish(document, exitCode.interrupted);
  }

  const result = await applyDeployment(deployment, plan, input.remote, run, {
    markerText: input.markerText,
    isWaiting: wait,
    commitTime: planned.commit?.time,
  });
  // If writing the lock or the summary fails, what was applied stays applied.
  const unwritten: LettershopError[] = [];
  const keep = (write: () => Promise<void>) =>
    write().catch((error: unknown) => {
      if (!(error instanceof LettershopError)) throw error;
      unwritten.push(error);
    });
  await keep(async () => {
    await lock.write(updateEntries({ ...input, plan, outcomes: result.outcomes }));
    if (hasLock(deployment)) await run.settled();
  });
  const { backups } = run;
  const end = withResult(document, result, {
    ...(backups === undefined ? {} : { backups: path.relative(project.folder, backups) }),
    interrupted: signal.aborted,
    again,
  });
  printResult(end, output);
  output.json(end);
  await keep(() => summarise(end, deployment, options));
  for (const { message, hint } of unwritten) output.note(`${message} ${hint} The changes on the service remain.`);
  const code = exitOf(result, plan.held.length, signal);
  return unwritten.length > 0 && code <= exitCode.findings ? exitCode.partial : code;
}

function summarise(
  document: PlanDocument,
  { target: { environment } }: DeployTarget,
  {
    summary,
    seeAll = ["templates diff", ...environmentFlag(environment)].join(" "),
  }: Pick<DeployOptions, "summary" | "seeAll">,
): Promise<void> {
  return writeSummaries(summary, (bytes) => planMarkdown(document, { bytes, seeAll }));
}

/** @throws {UsageError} The plan would delete everything and add nothing: most likely the templates folder is wrong. */
function refuseToEmpty({ plan, input }: PlannedDeployment): void {
  const deletes = operationsOf(plan).filter(({ kind }) => kind === "delete").length;
  if (deletes === 0 || input.local.length > 0) return;
  throw new UsageError(`The project has no templates, so --prune would delete every template on the service.`, {
    hint: "Check that `templates` in the configuration is the right folder. To delete all templates, use the service's dashboard.",
  });
}

async function mayDelete(plan: Plan, signal: AbortSignal): Promise<boolean> {
  const names = operationsOf(plan).flatMap(({ kind, name }) => (kind === "delete" ? [name] : []));
  if (names.length === 0) return true;
  const question = `Delete ${names.length === 1 ? names[0] : `${names.length} templates (${names.join(", ")})`} from the service?`;
  return askYesNo(question, { flag: "--yes", signal });
}
