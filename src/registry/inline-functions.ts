import { isDeepStrictEqual } from "node:util";
import type { Condition } from "../mustache/variables.js";
import { ModuleError } from "../process/module-error.js";
import { functionsCode, type NeededImports, neededImports } from "../render/computed/package-functions.js";

/** A template whose values may be computed with functions of packages. */
export interface ComputingTemplate {
  readonly name: string;
  /** Its body, absolute. */
  readonly file: string;
  readonly conditions: readonly Condition[];
}

/** Templates that find the same packages, whose functions are bundled together. */
export interface FunctionGroup {
  /** The name of the constant: `MakeFunctions`. */
  readonly name: string;
  readonly needed: NeededImports;
  readonly templates: ReadonlySet<string>;
  /** Whether the functions render HTML. They are large, and in a file of their own. */
  readonly renders: boolean;
}

/**
 * Finds the functions of packages that templates need.
 *
 * @param kept The templates with errors: their packages may be missing. Without functions, sending them fails.
 * @throws {ModuleError} A package can't be found.
 */
export async function groupFunctions(
  templates: readonly ComputingTemplate[],
  kept: ReadonlySet<string>,
): Promise<readonly FunctionGroup[]> {
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
  return groups.map(({ needed, templates: users }, index) => ({
    name: index === 0 ? "packages" : `packages${index + 1}`,
    needed,
    templates: users,
    renders: needed.renders,
  }));
}

/**
 * Those of the values of earlier versions that can still be computed: a package that the new version doesn't need may be
 * gone, or updated.
 */
export async function stillComputable(file: string, former: readonly Condition[]): Promise<readonly Condition[]> {
  if (await canBundle(file, former)) return former;
  const found = await Promise.all(former.map((each) => canBundle(file, [each])));
  return former.filter((_each, index) => found[index]);
}

async function canBundle(file: string, conditions: readonly Condition[]): Promise<boolean> {
  try {
    const needed = await neededImports(file, conditions);
    if (needed.imports.size > 0) await functionsCode(needed);
    return true;
  } catch (error) {
    if (error instanceof ModuleError) return false;
    throw error;
  }
}

class Group {
  needed: NeededImports;
  readonly templates = new Set<string>();

  constructor(template: string, needed: NeededImports) {
    this.needed = needed;
    this.templates.add(template);
  }

  add(template: string, { imports, react }: NeededImports): void {
    const all = new Map([...this.needed.imports, ...imports]);
    this.needed = { ...this.needed, imports: all, react: this.needed.react ?? react };
    this.templates.add(template);
  }
}

/** Whether no package is installed in two versions, and both or neither render. */
function areTogether(one: NeededImports, other: NeededImports): boolean {
  const isSame = ([key, { file }]: [string, { readonly file: string }]): boolean =>
    (other.imports.get(key)?.file ?? file) === file;
  const isSameReact = !one.react || !other.react || isDeepStrictEqual(one.react, other.react);
  return one.type === other.type && one.renders === other.renders && isSameReact && [...one.imports].every(isSame);
}

/**
 * Bundles the functions of each group: `const packages = (Date, Intl) => …;`
 *
 * @param type The constants' type, in TypeScript that infers none.
 * @throws {ModuleError} A package can't be bundled.
 */
export async function declareFunctions(groups: readonly FunctionGroup[], type?: string): Promise<readonly string[]> {
  const annotation = type === undefined ? "" : `: ${type}`;
  return Promise.all(
    groups.map(async ({ name, needed }) => `const ${name}${annotation} = ${await functionsCode(needed)};`),
  );
}

/**
 * An expression: an object with `MakeFunctions` for each template that needs functions; undefined if none does.
 *
 * @throws {ModuleError} A package can't be found or bundled.
 */
export async function functionsByTemplate(templates: readonly ComputingTemplate[]): Promise<string | undefined> {
  const groups = await groupFunctions(templates, new Set());
  if (groups.length === 0) return undefined;
  const constants = await declareFunctions(groups);
  const members = groups.flatMap(({ name, templates: users }) =>
    [...users].map((each) => `${JSON.stringify(each)}: ${name}`),
  );
  return `(() => {${constants.join("")}return { ${members.join(", ")} };})()`;
}
