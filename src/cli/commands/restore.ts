import { defineCommand } from "../command.js";
import { chosen, deployFlags, environmentFlag, optionsOf } from "../deploy/deploy-flags.js";
import { deploy, deployIn, withRun } from "../deploy/deploy.js";
import { withDeployTarget } from "../deploy/deploy-target.js";
import { savedIn } from "../deploy/from-backup.js";
import type { Deployment } from "../deploy/plan-deployment.js";
import type { PlanChoices } from "../../sync/index.js";
import { workingFolder } from "../project.js";

const { dryRun, overwriteDrift, takeOver, yes, wait, summary } = deployFlags;

export const restore = defineCommand({
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
        const command = ["templates restore", ...names, ...environmentFlag(environment), ...source];
        const options = optionsOf(wishes, command.join(" "));
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
