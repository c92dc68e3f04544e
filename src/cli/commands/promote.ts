import { preloadService } from "../keyless/preload.js";
import { UsageError } from "../arguments.js";
import { defineCommand } from "../command.js";
import { deploy } from "../deploy/deploy.js";
import { chosen, deployFlags, optionsOf } from "../deploy/deploy-flags.js";
import { type DeployTarget, withDeployTarget } from "../deploy/deploy-target.js";
import { lockOf, stateFolder, targetKey } from "../deploy/plan-deployment.js";
import { isIncluded, remoteName } from "../../project/environment.js";
import {
  type Knowledge,
  type LocalTemplate,
  readRemote,
  readWritten,
  type RemoteSummary,
  type RemoteTemplate,
  standingOn,
} from "../../sync/index.js";
import { planProgress } from "../report/plan/progress.js";
import type { Target } from "../target.js";
import { type LocalSide, localName } from "../deploy/local-side.js";
import { markerText } from "../../text/marker.js";

export const command = defineCommand({
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
          const commandLine = `templates promote ${from} ${to}`;
          return deploy(
            { ...destination, local, isPartial: false, choices },
            { ...optionsOf(flags, commandLine), seeAll: `${commandLine} --dry-run --json` },
          );
        }),
      );
    });
  },
});

/**
 * Reads one environment's templates as local templates, to be applied to another environment. Image URLs under the first
 * environment's `assets.baseUrl` are rewritten to the other's, as if compiled for it.
 */
async function heldBy(from: DeployTarget, to: Target["environment"]): Promise<LocalSide> {
  const { project, target, observer, output, signal } = from;
  const { environment } = target;
  const text = markerText(project, environment);
  const isHeld = ({ name, marker }: RemoteSummary): boolean => {
    const own = localName(name, environment);
    return own !== undefined && isIncluded(environment, own) && (text === undefined || marker?.text === text);
  };
  const progress = planProgress(output);
  try {
    const remote = await readRemote({
      client: target.client,
      domain: environment.domain,
      reached: () => observer.reached(),
      wanted: (summaries) => [...summaries.values()].filter(isHeld).map(({ name }) => name),
      signal,
      onEvent: progress.onEvent,
    });
    const knowledge: Knowledge = {
      remote,
      entries: lockOf(from).entries,
      written: await readWritten(stateFolder(project, target), targetKey(target)),
      markerText: text,
    };
    const local = [...remote.templates.values()].flatMap((template) => {
      const own = localName(template.name, environment);
      if (own === undefined || !isIncluded(to, own)) return [];
      const standing = standingOn(template.name, knowledge);
      const isDrifted = standing?.owner === "ours" && !standing.isClean;
      return [{ ...promoted(own, template, environment, to), ...(isDrifted && { isDrifted }) }];
    });
    return { local, present: new Set(local.map(({ name }) => name)) };
  } finally {
    progress.done();
  }
}

function promoted(
  own: string,
  { content, marker }: RemoteTemplate,
  from: Target["environment"],
  to: Target["environment"],
): LocalTemplate {
  const move = (text: string): string => {
    if (from.assets === undefined || to.assets === undefined) return text;
    return text.replaceAll(from.assets.baseUrl, to.assets.baseUrl);
  };
  return {
    name: remoteName(to, own),
    template: own,
    content: { ...content, html_body: move(content.html_body), text_body: move(content.text_body) },
    ...(marker === undefined ? {} : { contractName: marker.contract }),
    sources: [],
  };
}
