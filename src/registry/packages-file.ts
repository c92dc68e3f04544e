import path from "node:path";
import { functionGroups, FUNCTIONS, type GenerateOptions, HEADER, withFormer } from "./generate.js";
import { declareFunctions } from "./inline-functions.js";

/** The file next to the registry with the functions that render HTML: `templates.gen.packages.ts`. */
export function packagesFile(registryFile: string): string {
  const { dir, name, ext } = path.parse(registryFile);
  return path.join(dir, `${name}.packages${ext}`);
}

/**
 * The import specifier that the registry uses for it.
 *
 * @param ending The ending of the project's imports of TypeScript files.
 */
export function packagesSpecifier(registryFile: string, ending: string): string {
  return `./${path.parse(packagesFile(registryFile)).name}${ending}`;
}

const UNCHECKED = "// @ts-nocheck This file contains code of packages as JavaScript.";

/** TypeScript would need seconds to find it out. */
const TYPE = "(date: DateConstructor, intl: object) => Readonly<Record<string, unknown>>";

/**
 * The file's text; undefined if no template needs it.
 *
 * @throws {ModuleError} A package can't be found or bundled.
 */
export async function generatePackages({
  results,
  kept = [],
  before,
}: Pick<GenerateOptions, "results" | "kept" | "before">): Promise<string | undefined> {
  const all = await functionGroups(await withFormer(results, before), kept);
  const groups = all.filter(({ renders }) => renders);
  if (groups.length === 0) return undefined;
  const declarations = await declareFunctions(groups, TYPE);
  const sections = [
    [HEADER, UNCHECKED, "/* eslint-disable */"].join("\n"),
    ...declarations.map((each) => `// ${FUNCTIONS}\nexport ${each}`),
  ];
  return `${sections.join("\n\n")}\n`;
}
