import { preloadService } from "../keyless/preload.js";
import { UsageError } from "../arguments.js";
import { defineCommand } from "../command.js";
import { deploy } from "../deploy/deploy.js";
import { chosen, deployFlags, optionsOf } from "../deploy/deploy-flags.js";
import { withDeployTarget } from "../deploy/deploy-target.js";
import { heldBy } from "../deploy/from-environment.js";
import { targetKey } from "../deploy/plan-deployment.js";

export const promote = defineCommand({
  operands: "FROM TO",
  count: [2, 2],
  flags: {
    ...deployFlags,
    includeDrift: {
      summary: "Promote this template even though it was edited in FROM since it was applied there",
      value: "NAME",
      many: true,
    },
  },
  examples: ["templates promote staging production --dry-run", "templates promote staging production"],
  async run({ names: [from = "", to = ""], flags, output, signal, withKeylessProject }) {
    if (flags.env !== undefined)
      throw new UsageError("promote takes both environments as arguments, so --env is not allowed.", {
        hint: `Run: templates promote ${from} ${to}`,
      });
    // Before any project code runs. For the other environment, `preload` does this.
    if (from === "local") await preloadService();
    return withKeylessProject({ ...flags, env: to }, signal, ({ project }) => {
      const common = { project, output, signal };
      return withDeployTarget(common, from, (source) =>
        withDeployTarget(common, to, async (destination) => {
          const key = targetKey(destination.target);
          if (targetKey(source.target) === key)
            throw new UsageError(`${from} and ${to} are the same templates: ${key}.`, {
              hint: "LETTERSHOP_URL and LETTERSHOP_DOMAIN override the configuration of both.",
            });
          const { environment } = destination.target;
          const local = Promise.resolve(await heldBy(source, environment));
          const choices = chosen(project, environment, flags);
          const command = `templates promote ${from} ${to}`;
          return deploy(
            { ...destination, local, isPartial: false, choices },
            { ...optionsOf(flags, command), seeAll: `${command} --dry-run --json` },
          );
        }),
      );
    });
  },
});
