import { type Environment, isIncluded, remoteName } from "../../config/environment.js";
import type { Project } from "../../config/load.js";
import { nearest } from "../../text/nearest.js";
import { localName } from "../../sync/pull/local-name.js";
import { nameProblem } from "../../template/name-problem.js";
import { UsageError } from "../arguments.js";

/** The templates to pull, by their names in the project, sorted. */
export interface ChosenNames {
  readonly names: readonly string[];
  /** Templates whose names are not valid in the project, with the reason. */
  readonly refused: ReadonlyMap<string, string>;
}

export interface ChooseOptions {
  readonly project: Project;
  readonly environment: Environment;
  /** Names on the service. */
  readonly remote: Iterable<string>;
  /** The requested names in the project; empty for all. */
  readonly asked: readonly string[];
}

/** @throws {UsageError} The environment has no template of a requested name. */
export function chooseNames({ project, environment, remote, asked }: ChooseOptions): ChosenNames {
  const { name: own, url, domain } = environment;
  const others = Object.entries(project.environments).filter(
    ([name, other]) => name !== own && other.url === url && other.domain === domain,
  );
  const affixes = others.map(([, other]) => other);
  const available = [...remote].flatMap((name) => localName(name, environment, affixes) ?? []).toSorted();
  for (const name of asked) if (!available.includes(name)) throw missing(name, available, environment);
  const selected =
    asked.length > 0 ? [...new Set(asked)].toSorted() : available.filter((name) => isIncluded(environment, name));
  const refused = new Map(
    selected.flatMap((name) => [[name, nameProblem(name) ?? ""] as const]).filter(([, why]) => why),
  );
  return { names: selected.filter((name) => !refused.has(name)), refused };
}

function missing(name: string, available: readonly string[], environment: Environment): UsageError {
  const near = nearest(name, available);
  const hint = near === undefined ? "To list the templates, run: templates status" : `Did you mean ${near}?`;
  return new UsageError(
    `The environment "${environment.name}" has no template "${remoteName(environment, name)}" on ${environment.domain}.`,
    { hint },
  );
}
