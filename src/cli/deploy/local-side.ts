import path from "node:path";
import { type Environment, isIncluded, remoteName } from "../../config/environment.js";
import type { Project } from "../../config/load.js";
import { type LocalTemplate, pickContent } from "../../sync/index.js";
import type { CompiledTemplateApart } from "../apart/compiled.js";

/** What is here, as an environment's templates. */
export interface LocalSide {
  readonly local: readonly LocalTemplate[];
  /** Names on the service of all that the project has, also what the environment leaves out or what does not compile. */
  readonly present: ReadonlySet<string>;
}

/** What sync takes of a compiled template. */
export type DeployableTemplate = Omit<CompiledTemplateApart, "engine" | "fixtures" | "hash">;

/** The compiled templates that an environment includes, under their names there. */
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

/** A compiled template as sync takes it. */
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

/** The name in the project of a name on the service; undefined where it is none of the environment's. */
export function ownName({ namePrefix, nameSuffix }: Environment, name: string): string | undefined {
  const isOwn =
    name.length > namePrefix.length + nameSuffix.length && name.startsWith(namePrefix) && name.endsWith(nameSuffix);
  return isOwn ? name.slice(namePrefix.length, name.length - nameSuffix.length) : undefined;
}
