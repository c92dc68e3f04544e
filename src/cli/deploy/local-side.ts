import path from "node:path";
import { type Environment, isIncluded, remoteName } from "../../project/environment.js";
import type { Project } from "../../project/load-project.js";
import { type LocalTemplate, pickContent } from "../../sync/index.js";
import type { KeylessTemplate, KeylessTemplates } from "../keyless/compiled.js";

/** The local side of a plan: templates to apply to an environment. */
export interface LocalSide {
  readonly local: readonly LocalTemplate[];
  /** Names on the service of all the project's templates, including those that the environment excludes or that don't compile. */
  readonly present: ReadonlySet<string>;
}

/** The part of a compiled template that sync needs. */
export type DeployableTemplate = Omit<KeylessTemplate, "engine" | "fixtures" | "context" | "computed" | "hash">;

export interface DeployableTemplates extends Omit<KeylessTemplates, "templates"> {
  readonly templates: readonly DeployableTemplate[];
}

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
    renamedFrom: renamedFrom && named(renamedFrom),
    sources: sources.map((file) => path.relative(folder, file).split(path.sep).join("/")),
  };
}

type Affixes = Partial<Pick<Environment, "namePrefix" | "nameSuffix">>;

/**
 * The project's name for a template on the service. Undefined if the template does not belong to this environment: its
 * name lacks the affixes, or fits those of another environment on the same domain better.
 *
 * @example
 * localName("staging-receipt", { namePrefix: "staging-" }); // "receipt"
 * localName("staging-receipt", {}, [{ namePrefix: "staging-" }]); // undefined
 */
export function localName(remote: string, affixes: Affixes, others: readonly Affixes[] = []): string | undefined {
  const name = withoutAffixes(remote, affixes);
  if (name === undefined) return undefined;
  const isOthers = others.some((other) => (withoutAffixes(remote, other)?.length ?? Infinity) < name.length);
  return isOthers ? undefined : name;
}

function withoutAffixes(remote: string, { namePrefix = "", nameSuffix = "" }: Affixes): string | undefined {
  if (remote.length <= namePrefix.length + nameSuffix.length) return undefined;
  if (!remote.startsWith(namePrefix) || !remote.endsWith(nameSuffix)) return undefined;
  return remote.slice(namePrefix.length, remote.length - nameSuffix.length);
}
