import type { Condition } from "../mustache/variables.js";
import { ModuleError } from "../process/module-error.js";
import { functionsCode, type NeededImports, neededImports } from "../project/package-functions.js";

/** A template whose values may be computed with functions of packages. */
export interface ComputingTemplate {
  readonly name: string;
  /** Its body, absolute. */
  readonly file: string;
  readonly conditions: readonly Condition[];
}

/** JavaScript that makes functions of packages. */
export interface InlinedFunctions {
  /** The constant's name in the registry. */
  readonly name: string;
  /** An expression: `MakeFunctions`. */
  readonly expression: string;
  /** The templates that use them. */
  readonly templates: ReadonlySet<string>;
}

/**
 * Bundles the functions of packages that templates need, together for all templates that find the same packages.
 *
 * @param kept The templates with errors: their packages may be missing. Without functions, sending them fails.
 * @throws {ModuleError} A package can't be found or bundled.
 */
export async function inlineFunctions(
  templates: readonly ComputingTemplate[],
  kept: ReadonlySet<string>,
): Promise<readonly InlinedFunctions[]> {
  const groups: Group[] = [];
  for (const { name, file, conditions } of templates) {
    const needed = await neededImports(file, conditions).catch((error: unknown) => {
      if (kept.has(name) && error instanceof ModuleError) return undefined;
      throw error;
    });
    if (!needed || needed.imports.size === 0) continue;
    const group = groups.find((each) => areTogether(each.needed, needed));
    if (group) group.add(name, needed);
    else groups.push(new Group(name, needed));
  }
  return Promise.all(
    groups.map(async ({ needed, templates: users }, index) => ({
      name: index === 0 ? "packages" : `packages${index + 1}`,
      expression: await functionsCode(needed),
      templates: users,
    })),
  );
}

class Group {
  needed: NeededImports;
  readonly templates = new Set<string>();

  constructor(template: string, needed: NeededImports) {
    this.needed = needed;
    this.templates.add(template);
  }

  add(template: string, { imports }: NeededImports): void {
    this.needed = { ...this.needed, imports: new Map([...this.needed.imports, ...imports]) };
    this.templates.add(template);
  }
}

/** Whether no package is installed in two versions. */
function areTogether(one: NeededImports, other: NeededImports): boolean {
  const isSame = ([key, { file }]: [string, { readonly file: string }]): boolean =>
    (other.imports.get(key)?.file ?? file) === file;
  return one.type === other.type && [...one.imports].every(isSame);
}

/** An expression: an object with `MakeFunctions` for each template that needs functions; undefined if none does. */
export function functionsByTemplate(all: readonly InlinedFunctions[]): string | undefined {
  if (all.length === 0) return undefined;
  const constants = all.map(({ name, expression }) => `const ${name} = ${expression};`);
  const members = all.flatMap(({ name, templates }) =>
    [...templates].map((each) => `${JSON.stringify(each)}: ${name}`),
  );
  return `(() => {${constants.join("")}return { ${members.join(", ")} };})()`;
}
