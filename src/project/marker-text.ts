import { markerLength } from "../text/marker.js";
import type { TargetEnvironment } from "./environment.js";
import type { Project } from "./load-project.js";

/** The marker's text in an environment. It differs between environments on one domain, so that neither owns the other's templates. */
export function markerText(
  { sync }: Pick<Project, "sync">,
  { namePrefix = "", nameSuffix = "" }: Pick<TargetEnvironment, "namePrefix" | "nameSuffix">,
): string | undefined {
  if (sync.marker === false) return undefined;
  return namePrefix + nameSuffix === "" ? sync.marker : `${sync.marker} ${namePrefix}*${nameSuffix}`;
}

/** The length of the longest marker that sync adds to a description, over all environments. */
export function longestMarker(project: Pick<Project, "sync" | "environments">): number {
  const texts = [{}, ...Object.values(project.environments)].map((environment) => markerText(project, environment));
  return Math.max(...texts.map((text) => (text === undefined ? 0 : markerLength(text))));
}
