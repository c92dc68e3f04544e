import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Diagnostic, hasErrors } from "../../diagnostic.js";
import { ConfigurationError } from "../../errors.js";
import { parsePlanFile, type PlanFile, readRemote } from "../../sync/index.js";
import { UsageError } from "../arguments.js";
import { defineCommand, type ExitCode, exitCode, type FlagValues } from "../command.js";
import type { BuiltProject } from "../deploy/built-project.js";
import { applyPlanned, deploy, type DeployOptions, withRun } from "../deploy/deploy.js";
import { chosen, deployFlags, environmentFlag, optionsOf } from "../deploy/deploy-flags.js";
import { type DeployTarget, withDeployTarget } from "../deploy/deploy-target.js";
import { localSide } from "../deploy/local-side.js";
import { writeSummaries } from "../deploy/summaries.js";
import { checkedOut } from "../git.js";
import { workingFolder } from "../project.js";
import { countDiagnostics, prettyDiagnostics } from "../report/diagnostics.js";
import { errorsMarkdown } from "../report/plan/markdown.js";
import { errorEntries } from "../report/plan/plan-document.js";
import { printPlan } from "../report/plan/terminal.js";
import { markerText } from "../../text/marker.js";
import { documentOf, lockOf, targetKey } from "../deploy/plan-deployment.js";

export const command = defineCommand({
  operands: "[names…]",
  flags: {
    ...deployFlags,
    plan: { summary: "Apply this plan, made earlier with --out", value: "PLAN" },
    from: { summary: "Sync the templates of this build, without running any project code", value: "DIR" },
  },
  examples: [
    "templates sync --env production --dry-run",
    "templates sync --env production",
    "templates sync --env production --out sync.plan",
    "templates sync --env production --plan sync.plan --summary summary.md",
    "templates sync --env production --from build",
    "templates sync --env staging --overwrite-drift receipt --allow-breaking welcome",
  ],
  async run({ names, flags, output, signal, withKeylessProject }) {
    refuseContradictions(names, flags);
    const inFolder = (file: string) => path.resolve(workingFolder(flags), file);
    const planFile = flags.plan === undefined ? undefined : await readPlanFile(inFolder(flags.plan));
    const use = ({ project, compile, passed, commit }: Source): Promise<ExitCode> =>
      withDeployTarget({ project, output, signal }, flags.env, (deployTarget) => {
        const { environment } = deployTarget.target;
        const source = flags.from === undefined ? [] : [`--from ${flags.from}`];
        const plan = flags.plan === undefined ? [] : [`--plan ${flags.plan}`];
        const commandLine = ["templates sync", ...names, ...environmentFlag(environment), ...source, ...plan];
        const options = { ...optionsOf(flags, commandLine.join(" ")), from: flags.from };
        if (planFile !== undefined) return deployPlanFile(planFile, deployTarget, options);

        // The local environment isn't checked: links to localhost are fine there.
        const isChecked = environment.name !== "local";
        const local = compile(names, environment.assets, isChecked).then(({ templates, diagnostics, present }) => {
          if (hasErrors(diagnostics)) throw new FindingsError(diagnostics);
          return localSide(templates, present, environment, project);
        });
        const choices = chosen(project, environment, flags);
        const deployment = { ...deployTarget, local, isPartial: names.length > 0, choices, commit, passed };
        return deploy(deployment, options).catch((error: unknown) => {
          if (!(error instanceof FindingsError)) throw error;
          return reportErrors(error.diagnostics, deployTarget, options.summary);
        });
      });
    if (flags.from === undefined)
      return withKeylessProject(flags, signal, (opened) =>
        use({ ...opened, commit: () => checkedOut(opened.project.folder) }),
      );
    const { readBuiltProject } = await import("../deploy/built-project.js");
    return use(await readBuiltProject(inFolder(flags.from), flags));
  },
});

/** Where the templates come from: the project, compiled by another process; or a build. */
type Source = Omit<BuiltProject, "passed"> & Partial<Pick<BuiltProject, "passed">>;

async function reportErrors(
  diagnostics: readonly Diagnostic[],
  { project, target, output }: DeployTarget,
  summary: string | undefined,
): Promise<ExitCode> {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  output.note(prettyDiagnostics(errors, project.folder, output.style));
  output.note(`Nothing was applied: ${countDiagnostics(diagnostics)}.`);
  output.json({ applied: [], diagnostics });
  const entries = errorEntries(errors, project.folder);
  await writeSummaries(summary, (bytes) => errorsMarkdown(target.environment.name, entries, bytes));
  return exitCode.findings;
}

/** The templates have errors, so nothing is applied. */
class FindingsError extends Error {
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(countDiagnostics(diagnostics));
  }
}

type Wishes = FlagValues<typeof deployFlags> & Readonly<Record<"plan" | "from" | "config", string | undefined>>;

/** @throws {UsageError} The flags contradict each other. */
function refuseContradictions(names: readonly string[], flags: Wishes): void {
  if (flags.from !== undefined && flags.config !== undefined)
    throw new UsageError("--from uses the build's configuration, so --config is not allowed.");
  if (flags.prune && names.length > 0)
    throw new UsageError("--prune needs all templates, but the command names only some.", {
      hint: "Remove the names.",
    });
  if (flags.plan === undefined) return;
  const others = [
    [names.length > 0, "names"],
    [flags.dryRun, "--dry-run"],
    [flags.check, "--check"],
    [flags.prune, "--prune"],
    [flags.overwriteDrift.length > 0, "--overwrite-drift"],
    [flags.takeOver.length > 0, "--take-over"],
    [flags.allowBreaking.length > 0, "--allow-breaking"],
    [flags.out !== undefined, "--out"],
  ] as const;
  const conflicting = others.flatMap(([isGiven, flag]) => (isGiven ? [flag] : []));
  if (conflicting.length > 0)
    throw new UsageError(`--plan applies the plan as it is, so ${conflicting.join(" and ")} can't be used with it.`, {
      hint: "Use these when you make the plan, with --out.",
    });
}

async function readPlanFile(file: string): Promise<PlanFile> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new ConfigurationError(`Can't read the plan ${file}.`, {
      cause,
      hint: "To make a plan, run: templates sync --out PLAN",
    });
  });
  return parsePlanFile(text, file);
}

/** Applies a saved plan. Templates that have changed since are left alone. No template code runs. */
async function deployPlanFile(
  { environment, made, plan }: PlanFile,
  deployTarget: DeployTarget,
  options: Pick<DeployOptions, "summary" | "yes" | "wait" | "again">,
): Promise<ExitCode> {
  const { project, target, observer, output, signal } = deployTarget;
  const here = targetKey(target);
  if (environment !== here)
    throw new ConfigurationError(`The plan was made for ${environment}, and the environment is ${here}.`, {
      hint: "Use --env to select the environment that the plan was made for.",
    });
  return withRun(deployTarget, options, async (run) => {
    const remote = await readRemote({
      client: target.client,
      domain: target.environment.domain,
      reached: () => observer.reached(),
      wanted: () => [],
      signal,
    });
    const lock = lockOf(deployTarget);
    const knowledge = {
      remote,
      entries: lock.entries,
      written: new Map(),
      markerText: markerText(project, target.environment),
    };
    const document = documentOf(deployTarget, plan);
    printPlan(document, output);
    const commit = made.commit === undefined ? "" : ` from commit ${made.commit.id}`;
    output.note(`The plan was made at ${made.at} by lettershop ${made.lettershop}${commit}.`);
    return applyPlanned(
      deployTarget,
      { plan, lock, commit: made.commit, input: { ...knowledge, local: [] } },
      document,
      run,
      options,
    );
  });
}
