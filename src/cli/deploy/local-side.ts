import path from "node:path";
import { type Environment, isIncluded, remoteName } from "../../project/environment.js";
import type { Project } from "../../project/load-project.js";
import { type LocalTemplate, pickContent } from "../../sync/index.js";
import type { KeylessTemplate } from "../keyless/compiled.js";

/** The local side of a plan: templates to apply to an environment. */
export interface LocalSide {
  readonly local: readonly LocalTemplate[];
  /** Names on the service of all the project's templates, including those that the environment excludes or that don't compile. */
  readonly present: ReadonlySet<string>;
}

/** The part of a compiled template that sync needs. */
export type DeployableTemplate = Omit<KeylessTemplate, "engine" | "fixtures" | "hash">;

/** The compiled templates that an environment includes, under their names on the service. */
export function localSide(
  templates: readonly DeployableTemplate[],
  present: ReadonlySet<string>,
  environment: Environment,
  { folder }: Pick<Project, "folder">,
): LocalSide {
  const named = (name: string) => remoteName(environment, name);
  const local = templates
    .filter(({ name }) => isIncluded(environment, name))
    .map((template) => localTemplate(template, folder, named));
  return { local, present: new Set([...present].map(named)) };
}

/** Converts a compiled template for sync. */
export function localTemplate(
  template: DeployableTemplate,
  folder: string,
  named: (name: string) => string = (name) => name,
): LocalTemplate {
  const { name, contract, renamedFrom, sources } = template;
  return {
    name: named(name),
    template: name,
    content: pickContent(template),
    contract,
    ...(renamedFrom === undefined ? {} : { renamedFrom: named(renamedFrom) }),
    sources: sources.map((file) => path.relative(folder, file).split(path.sep).join("/")),
  };
}

/** Converts a name on the service to the name in the project; undefined if it does not belong to the environment. */
export function ownName({ namePrefix, nameSuffix }: Environment, name: string): string | undefined {
  const isOwn =
    name.length > namePrefix.length + nameSuffix.length && name.startsWith(namePrefix) && name.endsWith(nameSuffix);
  return isOwn ? name.slice(namePrefix.length, name.length - nameSuffix.length) : undefined;
}
