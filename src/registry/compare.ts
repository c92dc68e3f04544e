import type { VariablesContract, VariablesSchema } from "../mustache/variables.js";
import { Scope } from "../mustache/scope.js";
import { packagesIn } from "../mustache/expression/packages.js";
import { packageOf } from "../process/package-name.js";
import { formerConditions } from "./former.js";
import { typeInWords } from "./print-type.js";
import { readFileSync } from "node:fs";
import { attempt } from "../files.js";
import { isRecord } from "../values.js";

/** How one variable differs for the applications that pass it. */
export interface VariableChange {
  /** `order.items[].price`. */
  readonly path: string;
  /** Its former type: `string`, or `string, optional`. Absent if the variable is new. */
  readonly before?: string;
  /** Its current type. Absent if the variable was removed. */
  readonly after?: string;
}

/** How one template differs for the applications that send it. */
export type RegistryChange =
  | { readonly kind: "added" | "removed"; readonly template: string }
  | { readonly kind: "changed"; readonly template: string; readonly variables: readonly VariableChange[] }
  /** What an earlier version, which may be deployed, computes with these packages can't be filled in any more. */
  | { readonly kind: "unfilled"; readonly template: string; readonly packages: readonly string[] }
  /** What an earlier version, which may be deployed, computes with these variables needs them to be passed. */
  | { readonly kind: "unpassed"; readonly template: string; readonly variables: readonly string[] };

export interface RegistryComparison {
  /** Whether the file is current; line ends don't matter. */
  readonly upToDate: boolean;
  /** Changes that affect callers; empty if only hashes, code or environments differ. */
  readonly changes: readonly RegistryChange[];
}

/**
 * Compares the registry on disk with one generated from the current templates.
 *
 * @param oldText Undefined if there is no file yet.
 */
export function compareRegistry(oldText: string | undefined, newText: string): RegistryComparison {
  const before = readContracts(oldText ?? "");
  const after = readContracts(newText);
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return {
    upToDate: normalise(oldText ?? "") === normalise(newText),
    changes: names.flatMap((name) => [
      ...compareTemplate(name, before.get(name)?.input, after.get(name)?.input),
      ...unfilled(name, before.get(name), after.get(name)),
      ...unpassed(name, before.get(name), after.get(name)),
    ]),
  };
}

function normalise(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function unfilled(
  template: string,
  before: VariablesContract | undefined,
  after: VariablesContract | undefined,
): RegistryChange[] {
  const kept = new Set((after?.former ?? []).map(({ name }) => name));
  const lost = after ? formerConditions(after, before).filter(({ name }) => !kept.has(name)) : [];
  const packages = [...new Set(packagesIn(lost).map(({ module }) => packageOf(module)))];
  return packages.length === 0 ? [] : [{ kind: "unfilled", template, packages }];
}

function unpassed(
  template: string,
  before: VariablesContract | undefined,
  after: VariablesContract | undefined,
): RegistryChange[] {
  if (!before || !after) return [];
  const scope = Scope.of(before);
  const replaced = before.conditions.filter(({ test }) => test.kind === "computed");
  const used = replaced.flatMap((condition) => scope.dependenciesOf(condition)).map(({ path }) => path);
  const variables = compareVariables(flatten(before.input), flatten(after.input))
    .filter((variable) => variable.after === undefined)
    .map(({ path }) => path)
    .filter((gone) => used.some((path) => path === gone || isInside(path, gone)));
  return variables.length === 0 ? [] : [{ kind: "unpassed", template, variables }];
}

/** How one template's variables differ. Without one of the schemas, the template was added or removed. */
export function compareTemplate(
  template: string,
  before: VariablesSchema | undefined,
  after: VariablesSchema | undefined,
): RegistryChange[] {
  if (before === undefined) return [{ kind: "added", template }];
  if (after === undefined) return [{ kind: "removed", template }];
  const variables = compareVariables(flatten(before), flatten(after));
  return variables.length === 0 ? [] : [{ kind: "changed", template, variables }];
}

function compareVariables(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): VariableChange[] {
  const changes = [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((path): VariableChange[] => {
    const [was, is] = [before.get(path), after.get(path)];
    if (was === is) return [];
    return [{ path, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
  });
  // Don't report members that were added or removed together with their object.
  return changes.filter(({ path, before: was, after: is }) => {
    const around = changes.find((change) => isInside(path, change.path));
    return around === undefined || (was !== undefined && is !== undefined);
  });
}

function isInside(path: string, around: string): boolean {
  return path.startsWith(around) && /^[.[]/.test(path.slice(around.length));
}

/** Every variable at every depth, by path, with its type as text. */
function flatten(
  schema: VariablesSchema,
  path = "",
  optional = false,
  typesByPath = new Map<string, string>(),
): Map<string, string> {
  const { properties, required = [], items } = schema;
  if (properties !== undefined) {
    if (path !== "") typesByPath.set(path, inWords("object", optional));
    for (const [name, property] of Object.entries(properties))
      flatten(property, path === "" ? name : `${path}.${name}`, !required.includes(name), typesByPath);
  } else if (typeof items === "object" && items.properties !== undefined) {
    typesByPath.set(path, inWords("list", optional));
    flatten(items, `${path}[]`, false, typesByPath);
  } else if (path !== "") {
    typesByPath.set(path, inWords(typeInWords(schema), optional));
  }
  return typesByPath;
}

function inWords(type: string, optional: boolean): string {
  return optional ? `${type}, optional` : type;
}

/** What applications pass, by the template's name in the project: the contracts at the time the registry was written. */
export function passedBy({ registryFile }: { readonly registryFile: string }): Map<string, VariablesContract> {
  // The project may have no registry.
  return readContracts(attempt(() => readFileSync(registryFile, "utf8")) ?? "");
}

/** Each template's contract, from the lines that `generateRegistry` writes. Edited lines are ignored. */
export function readContracts(text: string): Map<string, VariablesContract> {
  return new Map(
    [...readMembers(text)].flatMap(([name, members]) => {
      const contract = parsed(members.get("contract"));
      if (!isContract(contract)) return [];
      const { input, derived, conditions, former } = contract;
      return [[name, { input, conditions, ...(derived && { derived }), ...(former && { former }) }]];
    }),
  );
}

/** The members of each template's entry as they are written, one on each line, by template and name. */
export function readMembers(registry: string): Map<string, Map<string, string>> {
  const entries = new Map<string, Map<string, string>>();
  let members = new Map<string, string>();
  for (const line of registry.split(/\r?\n/)) {
    const [, name] = /^ {4}"([^"]+)": \{$/.exec(line) ?? [];
    if (name !== undefined) entries.set(name, (members = new Map()));
    const [, key = line.trim(), value = ""] = /^ {6}(\w+): (.*),$/.exec(line) ?? [];
    members.set(key, value);
  }
  return entries;
}

/** The JSON value of a member; undefined if it was edited. */
export function parsed(written = ""): unknown {
  return attempt(() => JSON.parse(written));
}

export function isContract(value: unknown): value is VariablesContract {
  return isRecord(value) && "input" in value && "conditions" in value;
}

/**
 * Describes a change of the registry, with one line for each change.
 *
 * @example
 * describeChange({ kind: "changed", template: "receipt", variables: [{ path: "note", after: "string" }] });
 * // ["receipt: note is new (string)"]
 */
export function describeChange(change: RegistryChange): string[] {
  if (change.kind === "unfilled")
    return [
      `${change.template}: what an earlier version computes with ${change.packages.join(" and ")}, which can't be used any more, is blank until you sync`,
    ];
  if (change.kind === "unpassed")
    return change.variables.map(
      (variable) =>
        `${change.template}: keep ${variable} as an optional variable until you sync, because an earlier version computes with it`,
    );
  if (change.kind !== "changed") return [`${change.template} is ${change.kind === "added" ? "new" : "gone"}`];
  return change.variables.map((variable) => `${change.template}: ${describeVariable(variable)}`);
}

/**
 * @example
 * describeVariable({ path: "note", before: "string", after: "string, optional" }); // "note is string, optional, was string"
 */
export function describeVariable({ path, before, after }: VariableChange): string {
  if (before === undefined) return `${path} is new (${after})`;
  return after === undefined ? `${path} is gone (was ${before})` : `${path} is ${after}, was ${before}`;
}
