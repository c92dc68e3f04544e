import type { TargetEnvironment } from "../config/environment.js";
import type { Project } from "../config/load.js";
import type { VariablesContract } from "../mustache/variables.js";
import type { CompiledTemplate, CompileResult } from "../template/template.js";
import { declareFilled, declareVariables } from "./declare.js";
import { Identifiers, propertyKey } from "./identifiers.js";
import { inlineVariables, type InlinedModules } from "./inline.js";
import { printZod } from "./print-zod.js";

export interface GenerateOptions {
  /** The compiled templates; those with errors are left out. */
  readonly results: readonly CompileResult[];
  readonly project: Pick<
    Project,
    "folder" | "dataFolder" | "environments" | "defaultEnvironment" | "locale" | "timeZone"
  >;
}

interface RegistryTemplate {
  readonly compiled: CompiledTemplate;
  readonly typeName: string;
  readonly filledTypeName: string;
  readonly declarations: readonly string[];
  /** Its `variables.ts`, absolute, where it has one. */
  readonly file: string | undefined;
}

const HEADER = "// Written by `templates types`. To change it, change the templates and run that again.";
const UNCHECKED =
  "// @ts-nocheck The templates' own modules are in here as JavaScript. The exported types are complete, and hold wherever they are used.";

/**
 * The text of the registry: one TypeScript file that imports zod and, for a type only, lettershop, and that an
 * application compiles as its own. The same templates give the same text on every machine.
 *
 * @example
 * const text = await generateRegistry({ results: await compileAll(templates, context), project });
 * await writeFile(project.registryFile, text);
 *
 * @throws {ModuleError} A `variables.ts` cannot be bundled.
 * @throws {MissingPeerError} There is a `variables.ts`, and rolldown is not installed.
 */
export async function generateRegistry({ results, project }: GenerateOptions): Promise<string> {
  const templates = describeTemplates(results);
  const files = templates.flatMap(({ compiled, file }) =>
    file === undefined ? [] : [{ template: compiled.name, file }],
  );
  const inlined = files.length === 0 ? undefined : await inlineVariables(files, project);
  const imports = inlined?.imports ?? [];
  const zod = findZod(imports);

  const sections = [
    [
      HEADER,
      ...(inlined === undefined ? [] : [UNCHECKED]),
      "/* eslint-disable */",
      `import type { Registry } from "lettershop/send";`,
      ...imports,
      ...(files.length < templates.length ? zod.missingImports : []),
    ].join("\n"),
    ...templates.flatMap(({ declarations }) => declarations),
    ...printTypesByName(templates),
    ...(inlined === undefined ? [] : [printInlined(inlined)]),
    printTemplates(templates, project, zod.name),
  ];
  return `${sections.join("\n\n")}\n`;
}

function describeTemplates(results: readonly CompileResult[]): RegistryTemplate[] {
  const identifiers = new Identifiers();
  return results
    .flatMap(({ compiled, template }) => (compiled === undefined ? [] : [{ compiled, file: template.variablesFile }]))
    .sort((a, b) => (a.compiled.name < b.compiled.name ? -1 : 1))
    .map(({ compiled, file }) => {
      const { name, description, contract } = compiled;
      const typeName = identifiers.typeName(name, "Variables");
      const filledTypeName = identifiers.typeName(name, "FilledVariables");
      const takes = `What the template "${name}" takes. ${description}`;
      const sees = `What the tags of the template "${name}" see: what it takes, read by its schema, with what \`derive\` adds.`;
      const declarations = [
        ...declareVariables(typeName, contract.input, takes, identifiers),
        ...declareFilled(filledTypeName, contract, sees, identifiers),
      ];
      return { compiled, typeName, filledTypeName, declarations, file };
    });
}

/** The name under which printed schemas find zod, and the import that this takes besides those of the inlined modules. */
function findZod(imports: readonly string[]): { readonly name: string; readonly missingImports: readonly string[] } {
  if (imports.includes(`import { z } from "zod";`)) return { name: "z", missingImports: [] };
  if (!imports.some((line) => /\bz\b/.test(line))) return { name: "z", missingImports: [`import { z } from "zod";`] };
  return { name: "registryZod", missingImports: [`import { z as registryZod } from "zod";`] };
}

function printTypesByName(templates: readonly RegistryTemplate[]): string[] {
  const print = (name: string, doc: string, typeOf: (template: RegistryTemplate) => string): string => {
    const members = templates.map((template) => `  ${propertyKey(template.compiled.name)}: ${typeOf(template)};`);
    return [`/** ${doc} */`, `export interface ${name} {`, ...members, "}"].join("\n");
  };
  return [
    print("TemplateVariables", "What each template takes, by its name.", ({ typeName }) => typeName),
    print("FilledVariables", "What each template's tags see, by its name.", ({ filledTypeName }) => filledTypeName),
  ];
}

function printInlined({ expression }: InlinedModules): string {
  return `// What the templates' variables.ts files export, with the modules that they import.\nconst modules = ${expression};`;
}

function printTemplates(
  templates: readonly RegistryTemplate[],
  project: GenerateOptions["project"],
  z: string,
): string {
  return [
    "export const templates: Registry<TemplateVariables> = {",
    "  environments: {",
    ...Object.entries(project.environments).map(
      ([name, environment]) => `    ${propertyKey(name)}: ${printEnvironment(environment)},`,
    ),
    "  },",
    ...(project.defaultEnvironment === undefined
      ? []
      : [`  defaultEnvironment: ${JSON.stringify(project.defaultEnvironment)},`]),
    `  locale: ${JSON.stringify(project.locale)},`,
    `  timeZone: ${JSON.stringify(project.timeZone)},`,
    "  templates: {",
    ...templates.flatMap((template) => printEntry(template, z)),
    "  },",
    "};",
  ].join("\n");
}

/** What an application needs of it; the rest is for the command. */
function printEnvironment(environment: TargetEnvironment): string {
  const { url, domain, version, keyVariable, namePrefix, nameSuffix, recipients } = environment;
  return printObject({ url, domain, version, keyVariable, namePrefix, nameSuffix, recipients });
}

function printObject(value: object): string {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{ ${members.map(([name, member]) => `${name}: ${printValue(member)}`).join(", ")} }`;
}

function printValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(", ")}]`;
  return typeof value === "object" && value !== null ? printObject(value) : JSON.stringify(value);
}

/** The contract stands on one line: `compareRegistry` reads it from there. */
function printEntry({ compiled: { name, hash, subject, contract }, file }: RegistryTemplate, z: string): string[] {
  return [
    `    ${JSON.stringify(name)}: {`,
    `      hash: ${JSON.stringify(hash)},`,
    `      subject: ${subject !== ""},`,
    `      contract: ${printContract(contract)},`,
    file === undefined
      ? `      schema: ${printZod(contract.input, z, "      ")},`
      : `      ...modules[${JSON.stringify(name)}],`,
    "    },",
  ];
}

/** Descriptions are for people, who have them in the types. */
function printContract({ input, derived, conditions }: VariablesContract): string {
  const contract = { input, ...(derived && { derived }), conditions };
  // A variable of that name is an object here.
  return JSON.stringify(contract, (key, value: unknown) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );
}
