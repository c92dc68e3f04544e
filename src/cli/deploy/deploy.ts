import { writeFile } from "node:fs/promises";
import path from "node:path";
import { LettershopError } from "../../errors.js";
import { UsageError } from "../arguments.js";
import { askYesNo, canAsk, confirmEnvironment } from "../ask.js";
import { type ExitCode, exitCode } from "../command.js";
import {
  createPlan,
  type Held,
  type Knowledge,
  openRun,
  operationsOf,
  type Plan,
  printPlanFile,
  type Run,
  updateEntries,
} from "../../sync/index.js";
import { type PlanDocument, printPlan, printResult, withResult } from "../report/plan/index.js";
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
import { environmentFlag } from "./deploy-flags.js";
import { lockFile } from "./lock-file.js";
import { writeSummaries } from "./summaries.js";
import { refuseUnwritable, unwritable } from "./unwritable.js";

/** How far a deployment goes, and what it asks. */
export interface DeployOptions {
  /** Shows the plan and changes nothing. */
  readonly dryRun: boolean;
  /** The same, and ends with `exitCode.changes` where anything would change or be held back. */
  readonly check: boolean;
  /** The same, and writes the plan to this file, absolute. */
  readonly out?: string;
  /** The file for the Markdown summary, absolute. */
  readonly summary?: string;
  readonly yes: boolean;
  readonly wait: boolean;
  /** The build's folder, as `--from` names it. */
  readonly from?: string | undefined;
  /** The command that goes on where this one has ended. */
  readonly again: string;
}

/** Plans, shows the plan, and applies it unless it was only asked for. */
export async function deploy(deployment: Deployment, options: DeployOptions): Promise<ExitCode> {
  // Where another step fails first, nobody waits for it any more.
  deployment.local.catch(() => undefined);
  const isApplying = !options.dryRun && !options.check && options.out === undefined;
  if (!isApplying) return showPlan(deployment, await planDeployment(deployment), options);
  return withRun(deployment, options, (run) => deployIn(run, deployment, options));
}

/** Plans and applies within a run. */
export async function deployIn(run: Run, deployment: Deployment, options: DeployOptions): Promise<ExitCode> {
  const planned = await planDeployment(deployment).catch((error: unknown) => {
    if (deployment.signal.aborted) deployment.output.note("Interrupted while reading: nothing was applied.");
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
  return applyPlanned(deployment, decided, decided === planned ? document : show(decided), run, options);
}

/**
 * Lends out the environment's run, which no other one on this machine may overlap.
 *
 * @throws {ConfigurationError} The lock could not be written in the end.
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
        output.note(`Another sync of ${target.environment.name} is under way; waiting for it.`);
    },
  });
  try {
    return await use(run);
  } finally {
    await run.close();
  }
}

async function showPlan(
  deployment: Deployment,
  planned: PlannedDeployment,
  { check, out, summary, from }: DeployOptions,
): Promise<ExitCode> {
  const { output } = deployment;
  const { plan, input } = planned;
  const document = documentOf(deployment, plan, input.local);
  printPlan(document, output);
  if (out !== undefined) {
    refuseToEmpty(planned);
    await writeFile(out, printPlanFile({ environment: targetKey(deployment.target), plan })).catch((cause: unknown) => {
      throw unwritable(out, "The plan", cause);
    });
    const file = path.relative(process.cwd(), out);
    const source = from === undefined ? [] : [`--from ${from}`];
    const command = ["templates sync", ...environmentFlag(deployment.target.environment), ...source, `--plan ${file}`];
    output.note(`The plan is in ${file}. Apply it with: ${command.join(" ")}`);
  }
  output.json(document);
  await writeSummaries(document, summary);
  if (plan.obstacles.length > 0) return exitCode.findings;
  const wouldChange = plan.steps.length + plan.held.length > 0;
  return check && wouldChange ? exitCode.changes : exitCode.done;
}

/** On a terminal, what was edited on the service is asked about; elsewhere it stays as it is. */
async function decideHeld(
  { output, signal }: Deployment,
  planned: PlannedDeployment,
  { yes }: DeployOptions,
): Promise<PlannedDeployment> {
  const undecided = planned.plan.held.filter(({ kind }) => kind !== "breaking");
  if (!canAsk() || output.isJson || yes || undecided.length === 0) return planned;
  const chosen = new Set<string>();
  for (const held of undecided) {
    const isRetired = held.kind === "drifted" && held.changes.length === 0;
    const question = `${inWords(held)} ${isRetired ? "Delete it with these edits?" : "Overwrite it with what is here?"}`;
    if (await askYesNo(question, { flag: "--overwrite-drift", signal })) chosen.add(held.name);
  }
  if (chosen.size === 0) return planned;
  const choices = { ...planned.input.choices, overwriteDrift: (name: string) => chosen.has(name) };
  return { ...planned, plan: createPlan({ ...planned.input, choices }) };
}

function inWords({ kind, name, owner }: Held): string {
  if (kind === "foreign") return `${name} is managed by "${owner}".`;
  if (kind === "unknown")
    return `${name} is another one on the service, and nothing tells that it was applied from here.`;
  return `${name} was edited on the service${kind === "drifted" ? "" : ", and here too"}.`;
}

/** What applying needs of what was planned. */
export interface Applicable extends Pick<PlannedDeployment, "plan" | "lock"> {
  readonly input: Pick<PlannedDeployment["input"], "local" | keyof Knowledge>;
}

/** Applies what was planned, and tells what became of it. */
export async function applyPlanned(
  deployment: DeployTarget,
  planned: Applicable,
  document: PlanDocument,
  run: Run,
  { summary, yes, again }: Pick<DeployOptions, "summary" | "yes" | "again">,
): Promise<ExitCode> {
  const { project, target, output, signal } = deployment;
  const { plan, input, lock } = planned;
  const finish = async (end: PlanDocument, code: ExitCode) => {
    output.json(end);
    await writeSummaries(end, summary);
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

  const result = await applyDeployment(deployment, plan, input.remote, run);
  // What was applied stays applied, whatever becomes of the files that say so.
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
  await keep(() => writeSummaries(end, summary));
  for (const { message, hint } of unwritten) output.note(`${message} ${hint} What was applied stays applied.`);
  const code = exitOf(result, plan.held.length, signal);
  return unwritten.length > 0 && code <= exitCode.findings ? exitCode.partial : code;
}

/** @throws {UsageError} Everything would go and nothing come: most likely the templates were looked for in a wrong place. */
function refuseToEmpty({ plan, input }: PlannedDeployment): void {
  const deletes = operationsOf(plan).filter(({ kind }) => kind === "delete").length;
  if (deletes === 0 || input.local.length > 0) return;
  throw new UsageError(`There is no template here, and --prune would delete all ${deletes} of the service's.`, {
    hint: "Is `templates` in the configuration the right folder? To empty the environment, use the service's dashboard.",
  });
}

async function mayDelete(plan: Plan, signal: AbortSignal): Promise<boolean> {
  const names = operationsOf(plan).flatMap(({ kind, name }) => (kind === "delete" ? [name] : []));
  if (names.length === 0) return true;
  const question = `Delete ${names.length === 1 ? names[0] : `${names.length} templates (${names.join(", ")})`} from the service?`;
  return askYesNo(question, { flag: "--yes", signal });
}
