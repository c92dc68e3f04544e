import path from "node:path";
import type { Diagnostic } from "../../../diagnostic.js";
import type { Variables, VariablesSchema } from "../../../mustache/variables.js";
import type { Rolldown } from "../../../process/rolldown.js";
import type { Template } from "../../../project/template.js";
import type { ModuleSources } from "../component-bundles.js";
import { type Computation, type Expression, isComputedKey, operandsOf } from "../runtime/expression.js";
import type { Unsupported } from "../runtime/rendering.js";
import type { SourceRange } from "../runtime/symbolic.js";
import { deriveBlock } from "./derive-block.js";
import { DerivedVariables, type Substitution } from "./derived-variables.js";
import { derivedTypes, type LineChange, lineChanges, type SourceEdit } from "./edits.js";
import { ancestorsOf, parseModule, ProjectModules, referencesIn } from "./modules.js";

export interface DeriveHintsInput {
  readonly template: Template;
  readonly variablesCode?: string | undefined;
  readonly sources: ModuleSources;
  readonly findings: readonly Unsupported[];
  /** The names of the component's props. */
  readonly received: readonly string[];
  /** The type of the passed variables, if no `variables.ts` declares it. */
  readonly schema: VariablesSchema;
  /** Example variables, if the template has no fixture and needs one for `derive`. */
  readonly example?: Variables | undefined;
  readonly parseSync: Rolldown["parseSync"];
}

export interface DeriveHints {
  readonly hintFor: (finding: Unsupported) => string | undefined;
  /** Everything that must be written and changed. */
  readonly summary?: Diagnostic;
}

/** What to write in `derive`, and what to change in the component, for all computations of a template. */
export function deriveHints(input: DeriveHintsInput): DeriveHints {
  const { template, sources, findings, received, parseSync, variablesCode, schema, example } = input;
  const modules = new ProjectModules(sources, parseSync);
  const computations = findings.flatMap(({ computation }) =>
    computation && !createsObject(computation) ? [computation] : [],
  );
  const file = template.variablesFile ?? path.join(path.dirname(template.body.file), "variables.ts");
  const imports = new Set<string>();
  const imported = (site: SourceRange): string => {
    const importOfSite = importAt(site, modules, file);
    if (importOfSite) imports.add(importOfSite.declaration);
    return importOfSite?.code ?? "undefined";
  };
  const isTaken = (name: string): boolean => received.includes(name) || variablesCode?.includes(name) === true;
  const derived = new DerivedVariables({ modules, computations, isTaken, imported });
  const placed = new Map(computations.map((computation) => [computation, derived.substitute(computation)]));
  const shared = sharedSites(placed);
  const hintFor = ({ computation }: Unsupported): string | undefined => {
    const place = computation && placed.get(computation);
    if (!computation) return undefined;
    if (createsObject(computation)) return OBJECT;
    if (!place) return UNREACHABLE;
    return shared.has(siteKey(computation))
      ? SHARED
      : `Write \`${place.text}\` here, and compute it in derive. The error about derive contains the code.`;
  };
  if (derived.isEmpty) return { hintFor };
  const expressions = computations.map(({ expression }) => expression);
  const passed = withComputed(schema, expressions);
  const module = variablesCode === undefined ? undefined : parseModule(file, variablesCode, parseSync);
  const block = deriveBlock({ members: derived.code("    "), imports: [...imports], module, schema: passed });
  if (!block) return { hintFor };
  const edits: SourceEdit[] = [...placed].flatMap(([computation, place]) =>
    place && !shared.has(siteKey(computation)) ? place.edits : [],
  );
  const typed = [...edits, ...derivedTypes(template.body.file, modules)];
  const changes = [...block.changes, ...lineChanges(typed, sources)];
  const steps = [
    `${variablesCode === undefined ? "Create" : "Add to the end of"} ${nameOf(file, template)}:\n\n${block.code}`,
    ...(changes.length > 0 ? [changesText(changes, template)] : []),
    ...(example && template.fixtures.length === 0
      ? [`Create ${nameOf(fixtureFile(template), template)}:\n\n${JSON.stringify(example, undefined, 2)}`]
      : []),
  ];
  const names = derived.names.join(", ");
  return {
    hintFor,
    summary: {
      rule: "react-unsupported",
      severity: "error",
      message: `This template's computed values must come from derive: ${names}.`,
      template: template.name,
      at: { file: template.body.file },
      hint: steps.join("\n\n"),
    },
  };
}

/** Whether the result is an object such as a Date, which no variable can be. */
function createsObject({ expression }: Computation): boolean {
  return expression.kind === "call" && expression.isNew === true;
}

const OBJECT = "Compute the printed string in derive (variables.ts), and use that here.";
const UNREACHABLE =
  "Compute it in derive (variables.ts), and pass the result to the function instead of the values that it computes with.";
const SHARED =
  "This code computes with several variables. Compute each result in derive (variables.ts), and let the callers pass it.";

/** Code that computes with several variables, so that no single name can replace it wherever it is used. */
function sharedSites(placed: ReadonlyMap<Computation, Substitution | undefined>): Set<string> {
  const sites = new Map<string, (Substitution | undefined)[]>();
  for (const [computation, place] of placed) {
    const key = siteKey(computation);
    sites.set(key, [...(sites.get(key) ?? []), place]);
  }
  const isShared = (places: readonly (Substitution | undefined)[]): boolean =>
    new Set(places.map((place) => place?.text)).size > 1 || !isServed(places.flatMap((place) => place?.uses ?? []));
  return new Set([...sites].filter(([, places]) => isShared(places)).map(([key]) => key));
}

/** Whether a function receives exactly one result at each place where it is used. */
function isServed(uses: readonly NonNullable<Substitution["uses"]>[]): boolean {
  const served = new Map<string, string>();
  for (const [place, text] of uses.flatMap((use) => use.served)) {
    if ((served.get(place) ?? text) !== text) return false;
    served.set(place, text);
  }
  return uses.every(({ all }) => all.every((place) => served.has(place)));
}

function siteKey({ site }: Computation): string {
  return site ? `${site.file}:${site.start}:${site.end}` : "";
}

function changesText(changes: readonly LineChange[], template: Template): string {
  const files = [...new Set(changes.map(({ file }) => file))];
  return files
    .map((file) => {
      const own = changes.filter((change) => change.file === file);
      const lines = own.map(({ first, last, text }) => {
        const place = first === last ? `Line ${first}` : `Lines ${first}-${last}`;
        return `${place}:\n${text}`;
      });
      return `Change ${nameOf(file, template)} (current line numbers):\n\n${lines.join("\n\n")}`;
    })
    .join("\n\n");
}

function fixtureFile({ body }: Template): string {
  return path.join(path.dirname(body.file), "fixtures", "default.json");
}

/** The path from the templates folder on, as developers refer to it. */
function nameOf(file: string, { root }: Template): string {
  const relative = path.relative(path.dirname(root), file);
  return (relative.startsWith("..") ? file : relative).split(path.sep).join("/");
}

/**
 * The type of the passed variables, including those that a component only computes with, which no tag shows. Variables with
 * a default, or whose presence is tested, are optional.
 */
function withComputed(schema: VariablesSchema, expressions: readonly Expression[]): VariablesSchema {
  return expressions.reduce((whole, expression) => withExpression(whole, expression), schema);
}

function withExpression(schema: VariablesSchema, expression: Expression): VariablesSchema {
  const isTested = expression.kind === "if" && expression.test.kind === "binary" && expression.test.operator === "!=";
  const testedName = isTested && expression.test.kind === "binary" ? rootNameOf(expression.test.left) : undefined;
  const own = rootNameOf(expression);
  const known = own === undefined ? schema : withName(schema, own);
  const whole = testedName === undefined ? known : withOptional(withName(known, testedName), testedName);
  return operandsOf(expression).reduce(withExpression, whole);
}

function rootNameOf(expression: Expression): string | undefined {
  if (expression.kind !== "variable" || expression.loop) return undefined;
  const [name] = expression.names;
  return name === undefined || isComputedKey(name) || expression.names.length > 1 ? undefined : name;
}

/** Any type, if nothing else shows it. */
function withName(schema: VariablesSchema, name: string): VariablesSchema {
  if (schema.properties && Object.hasOwn(schema.properties, name)) return schema;
  return { ...schema, properties: { ...schema.properties, [name]: {} } };
}

function withOptional(schema: VariablesSchema, name: string): VariablesSchema {
  return { ...schema, required: (schema.required ?? []).filter((each) => each !== name) };
}

/**
 * The import that makes the function called at a site available in another file.
 *
 * @param to The importing file.
 */
function importAt(
  site: SourceRange,
  modules: ProjectModules,
  to: string,
): { readonly code: string; readonly declaration: string } | undefined {
  const module = modules.module(site.file);
  const [call] = module ? ancestorsOf(module.program, site) : [];
  const [called, ...others] = call?.type === "CallExpression" ? referencesIn(call.callee) : [];
  if (!module || !called || others.length > 0) return undefined;
  const { name, read } = called;
  const code = [name, ...read].join(".");
  for (const statement of module.program.body) {
    if (statement.type !== "ImportDeclaration") continue;
    const specifier = statement.specifiers.find(({ local }) => local.name === name);
    if (!specifier) continue;
    const from = JSON.stringify(sourceFrom(statement.source.value, site.file, to));
    if (specifier.type === "ImportDefaultSpecifier") return { code, declaration: `import ${name} from ${from};` };
    if (specifier.type === "ImportNamespaceSpecifier")
      return { code, declaration: `import * as ${name} from ${from};` };
    const imported = "name" in specifier.imported ? specifier.imported.name : specifier.imported.value;
    const named = imported === name ? name : `${imported} as ${name}`;
    return { code, declaration: `import { ${named} } from ${from};` };
  }
  return undefined;
}

function sourceFrom(source: string, from: string, to: string): string {
  if (!source.startsWith(".")) return source;
  const relative = path
    .relative(path.dirname(to), path.resolve(path.dirname(from), source))
    .split(path.sep)
    .join("/");
  return relative.startsWith(".") ? relative : `./${relative}`;
}
