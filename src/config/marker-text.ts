import { markerLength } from "../marker.js";
import type { TargetEnvironment } from "./environment.js";
import type { Project } from "./load.js";

/** The marker's text in an environment: two environments on one domain never own each other's templates. */
export function markerText(
  { sync }: Pick<Project, "sync">,
  { namePrefix = "", nameSuffix = "" }: Pick<TargetEnvironment, "namePrefix" | "nameSuffix">,
): string | undefined {
  if (sync.marker === false) return undefined;
  return namePrefix + nameSuffix === "" ? sync.marker : `${sync.marker} ${namePrefix}*${nameSuffix}`;
}

/** How many characters sync puts behind a description, in the environment where these are the most. */
export function longestMarker(project: Pick<Project, "sync" | "environments">): number {
  const texts = [{}, ...Object.values(project.environments)].map((environment) => markerText(project, environment));
  return Math.max(...texts.map((text) => (text === undefined ? 0 : markerLength(text))));
}
