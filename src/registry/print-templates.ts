import type { TargetEnvironment } from "../project/environment.js";
import type { Project } from "../project/load-project.js";
import type { VariablesContract } from "../mustache/variables.js";
import type { DeliveryDefaults } from "../project/registry-types.js";
import type { CompiledTemplate } from "../project/template.js";
import type { FunctionGroup } from "./inline-functions.js";
import { propertyKey } from "./print-type.js";

/** A template, with its part of the generated file. */
export interface RegistryTemplate {
  readonly compiled: Pick<CompiledTemplate, "name" | "description" | "hash" | "subject" | "contract">;
  readonly typeName: string;
  readonly filledTypeName: string;
  readonly declarations: readonly string[];
  readonly delivery: DeliveryDefaults;
  /** Its `variables.ts`, absolute, if it has one. */
  readonly file: string | undefined;
  /** Whether its `variables.ts` can't be included: then sending it fails with an error that explains this. */
  readonly lacksModule: boolean;
  /** Whether its bodies are where the registry loads them from. */
  readonly hasBodies: boolean;
  /** The functions of packages that compute its values, if it needs some. */
  readonly functions?: Pick<FunctionGroup, "name" | "renders"> | undefined;
}

/** The project settings that the registry contains. */
export type PrintedProject = Pick<Project, "environments" | "defaultEnvironment" | "assets" | "locale" | "timeZone">;

export interface PrintOptions {
  readonly project: PrintedProject;
  /** The import specifier of a template's bodies. Undefined if the registry has no bodies. */
  readonly bodiesSpecifier?: ((name: string) => string) | undefined;
  /** The import specifier of the functions that render HTML. Default: next to `templates.gen.ts`. */
  readonly packagesSpecifier?: string | undefined;
}

/** The value that the registry exports. */
export function printTemplates(templates: readonly RegistryTemplate[], printing: PrintOptions): string {
  const { project, bodiesSpecifier } = printing;
  const hasBodies = bodiesSpecifier !== undefined;
  return [
    "export const templates: Registry<TemplateVariables, TemplatesWithoutSubject> = {",
    "  environments: {",
    ...Object.entries(project.environments).map(
      ([name, environment]) => `    ${propertyKey(name)}: ${printEnvironment(environment, hasBodies)},`,
    ),
    "  },",
    ...(hasBodies && project.assets !== undefined ? [`  assets: ${printObject(project.assets)},`] : []),
    ...(project.defaultEnvironment === undefined
      ? []
      : [`  defaultEnvironment: ${JSON.stringify(project.defaultEnvironment)},`]),
    `  locale: ${JSON.stringify(project.locale)},`,
    `  timeZone: ${JSON.stringify(project.timeZone)},`,
    "  templates: {",
    ...templates.flatMap((template) => printEntry(template, printing)),
    "  },",
    "};",
  ].join("\n");
}

/** Only what applications need; the rest is for the command. */
function printEnvironment(environment: TargetEnvironment, hasBodies: boolean): string {
  const { url, domain, version, keyVariable, allowInsecure, namePrefix, nameSuffix, recipients } = environment;
  const assets = hasBodies ? environment.assets : undefined;
  const transport = environment.transport === "smtp" ? environment.transport : undefined;
  const printed = {
    url,
    transport,
    domain,
    version,
    keyVariable,
    allowInsecure,
    namePrefix,
    nameSuffix,
    assets,
    recipients,
  };
  if (transport !== "smtp") return printObject(printed);
  return `${printObject(printed).slice(0, -" }".length)}, smtp: smtp() }`;
}

function printObject(value: object): string {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{ ${members.map(([name, member]) => `${name}: ${printValue(member)}`).join(", ")} }`;
}

function printValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(", ")}]`;
  return typeof value === "object" && value !== null ? printObject(value) : JSON.stringify(value);
}

/** The contract is on one line, because `compareRegistry` reads it from there. */
function printEntry(
  { compiled, delivery, file, lacksModule, hasBodies, functions }: RegistryTemplate,
  { bodiesSpecifier, packagesSpecifier = "./templates.gen.packages.js" }: PrintOptions,
): string[] {
  const { name, hash, subject, contract } = compiled;
  return [
    `    ${JSON.stringify(name)}: {`,
    `      hash: ${JSON.stringify(hash)},`,
    `      subject: ${JSON.stringify(subject)},`,
    ...(Object.values(delivery).some(Boolean) ? [`      delivery: ${printObject(delivery)},`] : []),
    `      contract: ${printContract(contract)},`,
    ...(file === undefined ? [] : [`      ...modules[${JSON.stringify(name)}],`]),
    ...(functions === undefined ? [] : [`      ${printFunctions(functions, packagesSpecifier)},`]),
    ...(lacksModule ? [`      derive: ${printMissingModule(name)},`] : []),
    ...(bodiesSpecifier === undefined || !hasBodies
      ? []
      : [`      bodies: () => import(${JSON.stringify(bodiesSpecifier(name))}),`]),
    "    },",
  ];
}

function printFunctions({ name, renders }: Pick<FunctionGroup, "name" | "renders">, packagesSpecifier: string): string {
  if (!renders) return `functions: ${name}`;
  return `loadFunctions: async () => (await import(${JSON.stringify(packagesSpecifier)})).${name}`;
}

function printMissingModule(name: string): string {
  const message = `The variables.ts of ${name} was broken when the registry was written. Fix it, and run: templates types`;
  return `() => { throw new Error(${JSON.stringify(message)}); }`;
}

/** Descriptions are only for developers, who see them in the types. */
function printContract({ input, derived, printed, conditions, former }: VariablesContract): string {
  const contract = { input, derived, printed, conditions, former };
  // A variable named `description` is an object here.
  return JSON.stringify(contract, (key, value: unknown) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );
}
