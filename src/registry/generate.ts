import type { Project } from "../project/load-project.js";
import { addedBy } from "../mustache/complete.js";
import type { CompileResult } from "../project/template.js";
import { isContract, parsed, readContracts, readMembers } from "./compare.js";
import { formerConditions } from "./former.js";
import { docComment, Identifiers, type Printing, printType, propertyKey } from "./print-type.js";
import { type InlinedModules, inlineVariables } from "./inline.js";
import { declareFunctions, type FunctionGroup, groupFunctions, stillComputable } from "./inline-functions.js";
import { type PrintedProject, type PrintOptions, printTemplates, type RegistryTemplate } from "./print-templates.js";
import type { VariablesContract, VariablesSchema } from "../mustache/variables.js";
import type { DeliveryDefaults } from "../project/registry-types.js";

export interface GenerateOptions {
  /** The compiled templates; those with errors are omitted unless they are in `kept`. */
  readonly results: readonly CompileResult[];
  /** Templates with errors, as in the current registry. */
  readonly kept?: readonly KeptTemplate[];
  /** The current registry: what its templates needed is added for those that are still deployed. */
  readonly before?: string | undefined;
  readonly project: Pick<Project, "folder" | "dataFolder"> & PrintedProject;
  readonly bodiesSpecifier?: PrintOptions["bodiesSpecifier"];
  readonly packagesSpecifier?: PrintOptions["packagesSpecifier"];
}

/** A template that can't be compiled, with its former registry entry. */
export interface KeptTemplate {
  readonly name: string;
  readonly description: string;
  readonly entry: WrittenEntry;
  /** Its `variables.ts`, absolute, if it can be included. */
  readonly file: string | undefined;
  /** The file of its body, absolute, if it is known. */
  readonly body: string | undefined;
  /** Whether a file with its bodies exists. */
  readonly hasBodies: boolean;
}

export const HEADER = "// Written by `templates types`. To change it, change the templates and run that again.";

/** Whether lettershop generated a file next to the registry, so that it may delete it once nothing needs it. */
export function isGenerated(text: string): boolean {
  return text.startsWith(HEADER);
}

const UNCHECKED =
  "// @ts-nocheck This file contains the templates' own modules as JavaScript. The exported types are complete.";

/**
 * Generates the registry: one TypeScript file that an application compiles as its own. It imports lettershop for a type
 * only, and zod if a `variables.ts` does. The same templates give the same text on every machine.
 *
 * @throws {ModuleError} A `variables.ts` can't be bundled.
 * @throws {MissingPeerError} There is a `variables.ts`, and rolldown is not installed.
 */
export async function generateRegistry({
  results,
  kept = [],
  before = "",
  project,
  bodiesSpecifier,
  packagesSpecifier,
}: GenerateOptions): Promise<string> {
  const current = await withFormer(results, before);
  const templates = describeTemplates([...current.flatMap(described), ...kept.map(describedAsKept)]);
  const files = templates.flatMap(({ compiled, file }) =>
    file === undefined ? [] : [{ template: compiled.name, file }],
  );
  const inlined = files.length === 0 ? undefined : await inlineVariables(files, project);
  const groups = await functionGroups(current, kept);
  const functions = await declareFunctions(groups.filter(({ renders }) => !renders));
  const hasCode = inlined !== undefined || functions.length > 0;

  const sections = [
    [
      HEADER,
      ...(hasCode ? [UNCHECKED] : []),
      "/* eslint-disable */",
      `import type { Registry } from "lettershop/send";`,
      ...(Object.values(project.environments).some(({ transport }) => transport === "smtp")
        ? [`import { smtp } from "lettershop/smtp";`]
        : []),
      ...(inlined?.imports ?? []),
    ].join("\n"),
    ...templates.flatMap(({ declarations }) => declarations),
    ...printTypesByName(templates),
    ...(inlined === undefined ? [] : [printInlined(inlined)]),
    ...functions.map((each) => `// ${FUNCTIONS}\n${each}`),
    printTemplates(
      templates.map((each) => ({
        ...each,
        functions: groups.find((group) => group.templates.has(each.compiled.name)),
      })),
      { project, bodiesSpecifier, packagesSpecifier },
    ),
  ];
  return `${sections.join("\n\n")}\n`;
}

type Described = Omit<RegistryTemplate, "typeName" | "filledTypeName" | "declarations" | "functions">;

/**
 * The templates with what earlier versions of them needed, as far as it can still be computed.
 *
 * @param before The current registry.
 */
export async function withFormer(results: readonly CompileResult[], before = ""): Promise<readonly CompileResult[]> {
  const contracts = readContracts(before);
  const completed = results.map(async (result): Promise<CompileResult> => {
    const { compiled, template } = result;
    if (!compiled) return result;
    const former = await stillComputable(
      template.body.file,
      formerConditions(compiled.contract, contracts.get(result.name)),
    );
    const contract = { ...compiled.contract, ...(former.length > 0 && { former }) };
    return { ...result, compiled: { ...compiled, contract } };
  });
  return Promise.all(completed);
}

function described({ compiled, template }: CompileResult): Described[] {
  if (compiled === undefined) return [];
  const { priority, expiresAfter, onUnknown } = template.metadata;
  const delivery = { priority, expiresAfter, onUnknown };
  return [{ compiled, delivery, file: template.variablesFile, lacksModule: false, hasBodies: true }];
}

function describedAsKept({ name, description, entry, file, hasBodies }: KeptTemplate): Described {
  const { hash, subject, contract, delivery, hasModule } = entry;
  const compiled = { name, description, hash, subject, contract };
  return { compiled, delivery, file, lacksModule: hasModule && file === undefined, hasBodies };
}

function describeTemplates(all: readonly Described[]): RegistryTemplate[] {
  const identifiers = new Identifiers();
  return all
    .toSorted((a, b) => (a.compiled.name < b.compiled.name ? -1 : 1))
    .map((each) => {
      const { name, description, contract } = each.compiled;
      const typeName = identifiers.typeName(name, "Variables");
      const filledTypeName = identifiers.typeName(name, "FilledVariables");
      const takes = `The variables of the template "${name}". ${description}`;
      const sees = `What the tags of the template "${name}" see: its variables after parsing by the schema, and what \`derive\` adds.`;
      const declarations = [
        ...declareVariables(typeName, contract.input, takes, identifiers),
        ...declareFilled(filledTypeName, contract, sees, identifiers),
      ];
      return { ...each, typeName, filledTypeName, declarations };
    });
}

function printTypesByName(templates: readonly RegistryTemplate[]): string[] {
  const print = (name: string, doc: string, typeOf: (template: RegistryTemplate) => string): string => {
    const members = templates.map((template) => `  ${propertyKey(template.compiled.name)}: ${typeOf(template)};`);
    return [`/** ${doc} */`, `export interface ${name} {`, ...members, "}"].join("\n");
  };
  return [
    print("TemplateVariables", "Each template's variables, by its name.", ({ typeName }) => typeName),
    print("FilledVariables", "What each template's tags see, by its name.", ({ filledTypeName }) => filledTypeName),
    printWithoutSubject(templates),
  ];
}

function printWithoutSubject(templates: readonly RegistryTemplate[]): string {
  const names = templates.filter(({ compiled }) => compiled.subject === "").map(({ compiled }) => compiled.name);
  const union = names.map((name) => JSON.stringify(name)).join(" | ") || "never";
  return `/** The templates without a subject: each message needs its own. */\nexport type TemplatesWithoutSubject = ${union};`;
}

function printInlined({ expression }: InlinedModules): string {
  return `// The exports of the templates' variables.ts files, with the modules that they import.\nconst modules = ${expression};`;
}

export const FUNCTIONS = "The functions of packages that compute values of templates, for a time zone and a locale.";

/**
 * The functions of packages that the registry's templates need.
 *
 * @param results With what earlier versions needed.
 */
export function functionGroups(
  results: readonly CompileResult[],
  kept: readonly KeptTemplate[],
): Promise<readonly FunctionGroup[]> {
  const current = results.flatMap(({ compiled, template }) =>
    compiled ? [{ ...compiled, file: template.body.file }] : [],
  );
  const others = kept.flatMap(({ name, entry, body }) => (body === undefined ? [] : [{ ...entry, name, file: body }]));
  const templates = [...current, ...others].map(({ name, file, contract }) => ({
    name,
    file,
    conditions: addedBy(contract),
  }));
  return groupFunctions(
    templates.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    new Set(kept.map(({ name }) => name)),
  );
}

/**
 * Exported TypeScript declarations for a template's variables. The first has the given name; the others are types that it
 * refers to.
 */
export function declareVariables(
  name: string,
  schema: VariablesSchema,
  description: string,
  identifiers: Identifiers,
): string[] {
  const { references, declarations } = declareReferred(name, schema, identifiers, false);
  const doc = [description, schema.description].filter((part) => part !== undefined && part !== "").join("\n\n");
  return [docComment(doc, "") + declare(name, schema, { references, filled: false }), ...declarations];
}

/**
 * TypeScript declarations for what a template's tags see: the passed variables after parsing, and derived ones. Variables
 * that conditions add are internal and omitted.
 */
export function declareFilled(
  name: string,
  { input, derived = {} }: Pick<VariablesContract, "input" | "derived">,
  description: string,
  identifiers: Identifiers,
): string[] {
  const { properties = {}, required = [], $defs = {} } = referringAs("derived", derived);
  const passed = (input.required ?? []).filter((each) => !Object.hasOwn(properties, each));
  const filled: VariablesSchema = {
    ...input,
    properties: { ...input.properties, ...properties },
    required: [...passed, ...required],
    $defs: { ...input.$defs, ...$defs },
  };
  const { references, declarations } = declareReferred(name, filled, identifiers, true);
  return [docComment(description, "") + declare(name, filled, { references, filled: true }), ...declarations];
}

/** Renames a schema's definitions, so that they can be merged with those of another schema. */
function referringAs(prefix: string, { $defs = {}, ...schema }: VariablesSchema): VariablesSchema {
  const definitions = Object.entries($defs).map(([name, definition]) => [`${prefix}-${name}`, definition]);
  const all = { ...schema, $defs: Object.fromEntries(definitions) };
  return JSON.parse(
    JSON.stringify(all, (key, value: unknown) =>
      key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", `#/$defs/${prefix}-`) : value,
    ),
  );
}

function declareReferred(
  name: string,
  { $defs = {} }: VariablesSchema,
  identifiers: Identifiers,
  filled: boolean,
): { references: Printing["references"]; declarations: string[] } {
  const names = Object.keys($defs).map((each) => [`#/$defs/${each}`, identifiers.typeName(`${name}-${each}`)] as const);
  const references = new Map([["#", name], ...names]);
  const declarations = Object.entries($defs).map(
    ([key, definition]) =>
      docComment(definition.description, "") +
      declare(references.get(`#/$defs/${key}`) ?? key, definition, { references, filled }),
  );
  return { references, declarations };
}

function declare(name: string, schema: VariablesSchema, printing: Printing): string {
  const text = printType(schema, printing);
  if (text.startsWith("{") && text.endsWith("}") && schema.type === "object") return `export interface ${name} ${text}`;
  return `export type ${name} = ${text};`;
}

/** A template's entry in a registry. */
export interface WrittenEntry {
  readonly hash: string;
  readonly subject: string;
  readonly delivery: DeliveryDefaults;
  readonly contract: VariablesContract;
  /** Whether it uses a schema or `derive` from a module. */
  readonly hasModule: boolean;
}

/** A template's entry in an existing registry; undefined if there is none, or if it was edited. */
export function readEntry(registry: string, name: string): WrittenEntry | undefined {
  const members = readMembers(registry).get(name);
  if (!members) return undefined;
  const [hash, subject, contract] = ["hash", "subject", "contract"].map((key) => parsed(members.get(key)));
  if (typeof hash !== "string" || typeof subject !== "string" || !isContract(contract)) return undefined;
  // All its keys and values are plain words.
  const delivery = parsed(members.get("delivery")?.replaceAll(/(\w+): /g, '"$1": ') ?? "{}");
  const hasModule = members.has(`...modules[${JSON.stringify(name)}],`);
  return isDelivery(delivery) ? { hash, subject, delivery, contract, hasModule } : undefined;
}

function isDelivery(value: unknown): value is DeliveryDefaults {
  return typeof value === "object" && value !== null;
}
