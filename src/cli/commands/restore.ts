import { defineCommand } from "../command.js";
import { chosen, deployFlags, environmentFlag, optionsOf } from "../deploy/deploy-flags.js";
import { deploy, deployIn, withRun } from "../deploy/deploy.js";
import { type DeployTarget, withDeployTarget } from "../deploy/deploy-target.js";
import { type Deployment, stateFolder, targetKey } from "../deploy/plan-deployment.js";
import type { LocalTemplate, PlanChoices } from "../../sync/index.js";
import { workingFolder } from "../project.js";
import path from "node:path";
import { remoteName } from "../../project/environment.js";
import { type Backups, backupsAt, backupsOfRun, backupsOfRuns, readBackup } from "../../sync/apply/backups.js";
import { ConfigurationError } from "../../errors.js";
import { didYouMean, UsageError } from "../arguments.js";
import { type LocalSide, localName } from "../deploy/local-side.js";

interface BackupChoice {
  /** Names on the service or in the project. */
  readonly names: readonly string[];
  /** A run's time or a path. Default: each template's newest backup. */
  readonly from: string | undefined;
  /** The folder that the path is relative to. */
  readonly cwd: string;
}

/** Maximum number of older backups or names that a message lists. */
const LISTED_MAX = 5;

/**
 * Reads backups as local templates, to be applied to the environment.
 *
 * @throws {UsageError} There is no such backup.
 * @throws {ConfigurationError} The backup is from another environment.
 * @throws {BackupError} The backup is damaged.
 */
async function savedIn(choice: BackupChoice, deployTarget: DeployTarget): Promise<LocalSide> {
  const { project, target, output } = deployTarget;
  const { environment } = target;
  const backups = await openBackups(choice, deployTarget);
  const local = new Map<string, LocalTemplate>();
  for (const requested of choice.names) {
    const name = [requested, remoteName(environment, requested)].find((each) => backups.files(each).length > 0);
    if (name === undefined) throw notSaved(requested, backups, choice, environment.name);
    const own = localName(name, environment);
    if (own === undefined)
      throw new ConfigurationError(`${name} does not belong to the environment ${environment.name}.`, {
        hint: `Its templates are named ${remoteName(environment, "*")}. To copy templates between environments, run: templates promote FROM TO`,
      });
    const [file = "", ...others] = backups.files(name);
    const older = others.slice(0, LISTED_MAX).map((each) => `--from ${sourceOf(each, choice)}`);
    const saved = await readBackup(file, older.length > 0 ? `Use an older backup: ${older.join(", ")}` : undefined);
    if (saved.name !== name) throw new ConfigurationError(`${file} is a backup of "${saved.name}", not of "${name}".`);
    if (older.length > 0 && !local.has(name)) output.note(`Older backups of ${name}: ${older.join(", ")}`);
    const backup = path.relative(project.folder, file);
    local.set(name, { name, template: own, content: saved.content, backup, sources: [] });
  }
  return { local: [...local.values()], present: new Set(local.keys()) };
}

/** @throws {UsageError} There is nothing at `from`. */
async function openBackups({ from, cwd }: BackupChoice, { project, target }: DeployTarget): Promise<Backups> {
  const folder = stateFolder(project, target);
  const here = targetKey(target);
  const backups =
    from === undefined
      ? await backupsOfRuns(folder, here)
      : ((await backupsOfRun(folder, from)) ?? (await backupsAt(path.resolve(cwd, from), here)));
  if (backups === undefined)
    throw new UsageError(`--from ${from}: there is no run at that time, and no such file or folder.`, {
      hint: `The runs are in ${path.relative(cwd, path.join(folder, "runs"))}.`,
    });
  if (backups.target !== undefined && backups.target !== here)
    throw new ConfigurationError(`The backups are from ${backups.target}, but the environment is ${here}.`, {
      hint: "Use --env to select the environment that they are from.",
    });
  return backups;
}

/** The value of `--from` that selects this backup: the run's time, or its path if `--from` was a path. */
function sourceOf(file: string, { from, cwd }: BackupChoice): string {
  const run = path.dirname(path.dirname(file));
  return from === undefined ? path.basename(run) : path.relative(cwd, run);
}

function notSaved(name: string, { names }: Backups, { from }: BackupChoice, environment: string): UsageError {
  const where = from === undefined ? `for ${environment}` : `in ${from}`;
  const all = [...names].toSorted();
  const more = all.length > LISTED_MAX ? `, and ${all.length - LISTED_MAX} more` : "";
  const there = `There are backups of ${all.slice(0, LISTED_MAX).join(", ")}${more}.`;
  const none =
    "A sync backs up what it overwrites or deletes, on the machine it runs on. To use backups from CI, pass --from PATH.";
  return new UsageError(`There is no backup of "${name}" ${where}.`, {
    hint: didYouMean(name, names) ?? (all.length > 0 ? there : none),
  });
}

const { dryRun, overwriteDrift, takeOver, yes, wait, summary } = deployFlags;

export const command = defineCommand({
  operands: "NAME…",
  count: [1, Number.POSITIVE_INFINITY],
  flags: {
    from: {
      summary: "Restore from this backup: the time of a run, or a path (default: the newest backup)",
      value: "BACKUP",
    },
    dryRun,
    overwriteDrift,
    takeOver,
    yes,
    wait,
    summary,
  },
  examples: [
    "templates restore receipt --env production --dry-run",
    "templates restore receipt welcome --env production",
    "templates restore receipt --env production --from 2026-03-02T17-20-05.123Z",
    "templates restore receipt --env production --from backups/production --yes",
  ],
  async run({ names, flags, output, signal, withKeylessProject }) {
    const wishes = { ...flags, check: false, prune: false, allowBreaking: [], out: undefined };
    return withKeylessProject(flags, signal, ({ project }) =>
      withDeployTarget({ project, output, signal }, flags.env, async (deployTarget) => {
        const { environment } = deployTarget.target;
        const source = flags.from === undefined ? [] : [`--from ${flags.from}`];
        const commandLine = ["templates restore", ...names, ...environmentFlag(environment), ...source];
        const options = optionsOf(wishes, commandLine.join(" "));
        // Nobody knows which variables applications passed when the backup was made, so nothing counts as breaking.
        const { letsThrough, ...others } = chosen(project, environment, wishes);
        const choices: PlanChoices = {
          ...others,
          letsThrough: (reason, name) => reason === "breaking" || letsThrough(reason, name),
        };
        const deployment = async (): Promise<Deployment> => {
          const side = await savedIn({ names, from: flags.from, cwd: workingFolder(flags) }, deployTarget);
          return { ...deployTarget, local: Promise.resolve(side), isPartial: true, choices };
        };
        if (flags.dryRun) return deploy(await deployment(), options);
        // Read the backups only now: the run that this one waited for may have made newer ones.
        return withRun(deployTarget, options, async (run) => deployIn(run, await deployment(), options));
      }),
    );
  },
});
