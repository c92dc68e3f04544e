import { type Environment, isIncluded, remoteName } from "../../config/environment.js";
import type { Project } from "../../config/load.js";
import { nearest } from "../../nearest.js";
import { localName } from "../../sync/pull/local-name.js";
import { nameProblem } from "../../template/name-problem.js";
import { UsageError } from "../arguments.js";

/** What is asked for of an environment's templates, by their names in the project, sorted. */
export interface ChosenNames {
  readonly names: readonly string[];
  /** Those that the project can't have, and why. */
  readonly refused: ReadonlyMap<string, string>;
}

export interface ChooseOptions {
  readonly project: Project;
  readonly environment: Environment;
  /** Names on the service. */
  readonly remote: Iterable<string>;
  /** Names that a person gave, in the project; none for all. */
  readonly asked: readonly string[];
}

/** @throws {UsageError} The environment has none of a name that was asked for. */
export function chooseNames({ project, environment, remote, asked }: ChooseOptions): ChosenNames {
  const { name: own, url, domain } = environment;
  const others = Object.entries(project.environments).filter(
    ([name, other]) => name !== own && other.url === url && other.domain === domain,
  );
  const affixes = others.map(([, other]) => other);
  const there = [...remote].flatMap((name) => localName(name, environment, affixes) ?? []).toSorted();
  for (const name of asked) if (!there.includes(name)) throw missing(name, there, environment);
  const wanted =
    asked.length > 0 ? [...new Set(asked)].toSorted() : there.filter((name) => isIncluded(environment, name));
  const refused = new Map(
    wanted.flatMap((name) => [[name, nameProblem(name) ?? ""] as const]).filter(([, why]) => why),
  );
  return { names: wanted.filter((name) => !refused.has(name)), refused };
}

function missing(name: string, there: readonly string[], environment: Environment): UsageError {
  const near = nearest(name, there);
  const hint = near === undefined ? "See what there is: templates status" : `Did you mean ${near}?`;
  return new UsageError(
    `The environment "${environment.name}" has no template "${remoteName(environment, name)}" on ${environment.domain}.`,
    { hint },
  );
}
