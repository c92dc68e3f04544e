import { isIncluded, remoteName } from "../../project/environment.js";
import {
  type Knowledge,
  type LocalTemplate,
  readRemote,
  type RemoteSummary,
  type RemoteTemplate,
  readWritten,
  standingOn,
} from "../../sync/index.js";
import { planProgress } from "../report/plan/index.js";
import type { Target } from "../target.js";
import { type LocalSide, ownName } from "./local-side.js";
import { markerText } from "../../project/marker-text.js";
import type { DeployTarget } from "./deploy-target.js";
import { lockOf, stateFolder, targetKey } from "./plan-deployment.js";

/**
 * Reads one environment's templates as local templates, to be applied to another environment. Image URLs under the first
 * environment's `assets.baseUrl` are rewritten to the other's, as if compiled for it.
 */
export async function heldBy(from: DeployTarget, to: Target["environment"]): Promise<LocalSide> {
  const { project, target, observer, output, signal } = from;
  const { environment } = target;
  const text = markerText(project, environment);
  const isHeld = ({ name, marker }: RemoteSummary): boolean => {
    const own = ownName(environment, name);
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
      const own = ownName(environment, template.name);
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
