import type { CheckedTemplate } from "../../../check/rule.js";
import { derivedTextTags, htmlTags, subjectTags, textTags, type TagInPlace } from "../../../check/lib/variables.js";
import { Shape } from "../../../mustache/shape.js";
import { Scope } from "../../../mustache/scope.js";
import type { Condition, VariablesContract, VariablesSchema } from "../../../mustache/variables.js";
import type { ComputedReport, TemplateReport, VariableReport, VariableUse } from "../../contract.js";
import type { Places } from "./places.js";
import type { ShownPath } from "./problems.js";

/** Every variable of a template with all of its uses, in schema order, and the computed values. */
export function variablesOf(
  checked: CheckedTemplate,
  places: Places,
  shownPath: ShownPath,
): Pick<TemplateReport, "variables" | "computed"> {
  const { contract, computed } = checked.compiled;
  const declared = declaredIn(contract);
  const uses = new Map(declared.map(({ path }) => [path, [] as VariableUse[]]));
  const add = (path: string, use: VariableUse): void => {
    const known = uses.get(path) ?? uses.get(path.replace(/(?:\[\])+$/, "")) ?? [];
    known.push(use);
    if (known.length === 1 && !uses.has(path)) uses.set(path, known);
  };
  const conditions = new Map(contract.conditions.map((condition) => [condition.name, condition]));
  const parts = [
    ["subject", subjectTags(checked)],
    ["html", htmlTags(checked)],
    ["text", textTags(checked)],
    ["text", derivedTextTags(checked)],
  ] as const;
  for (const [part, tags] of parts)
    for (const tag of tags) add(pathOf(tag, conditions), useOf(tag, part, places, shownPath));
  const scope = Scope.of(contract);
  const reports = computed.map(({ name, at, source }): ComputedReport => {
    const shown = { ...at, file: shownPath(at.file) };
    const condition = conditions.get(name);
    const { line, column = 1 } = at;
    const use = { part: "computed", tag: source, kind: "computed" } as const;
    for (const path of new Set(condition && scope.dependenciesOf(condition).map((variable) => variable.path)))
      add(path, { ...use, ...(line !== undefined && { at: { file: shown.file, line, column } }) });
    return { name, within: condition?.within ?? [], source, at: shown, uses: uses.get(name) ?? [] };
  });
  const named = new Set([...declared.map(({ path }) => path), ...computed.map(({ name }) => name)]);
  const others = [...uses.keys()].filter((path) => !named.has(path));
  const variables = [
    ...declared.map((variable) => ({ ...variable, uses: uses.get(variable.path) ?? [] })),
    ...others.map((path) => ({
      path,
      type: "anything",
      isRequired: false,
      isDerived: false,
      uses: uses.get(path) ?? [],
    })),
  ];
  return { variables, computed: reports };
}

/** A section that tests a condition belongs to the condition's variable; a tag of a computed value, to that value. */
function pathOf({ name, found, scope }: TagInPlace, conditions: ReadonlyMap<string, Condition>): string {
  const condition = conditions.get(name);
  if (condition?.test.kind === "computed") return name;
  const [first = ""] = found?.path.split(/[.[]/) ?? [];
  if (conditions.get(first)?.test.kind === "computed") return first;
  if (found) return found.path;
  return condition === undefined ? name : (scope.find(condition.path)?.path ?? condition.path);
}

function useOf(
  { kind, text, where, at }: TagInPlace,
  part: VariableUse["part"],
  places: Places,
  shownPath: ShownPath,
): VariableUse {
  const place = where && places.indexOf(holderOf(where));
  const { file, line, column = 1 } = at();
  return {
    part,
    tag: text,
    kind: kind === "variable" ? "escaped" : kind === "unescaped" ? "raw" : "section",
    ...(place !== undefined && { place }),
    ...(line !== undefined && { at: { file: shownPath(file), line, column } }),
  };
}

function holderOf(where: NonNullable<TagInPlace["where"]>) {
  return where.kind === "text" || where.kind === "comment" ? where.node.parent : where.element;
}

type Declared = Omit<VariableReport, "uses">;

/** Maximum depth, because types can be recursive. */
const DEEPEST = 6;

function declaredIn(contract: VariablesContract): Declared[] {
  const { derived } = contract;
  const variables: Declared[] = [];
  const visit = (shape: Shape, path: string, isDerived: boolean, depth: number): void => {
    if (depth > DEEPEST) return;
    for (const name of shape.names) {
      const member = shape.member(name) ?? Shape.UNKNOWN;
      const isAdded = isDerived || (depth === 0 && Object.hasOwn(derived?.properties ?? {}, name));
      const isRequired = isAdded && depth === 0 ? (derived?.required?.includes(name) ?? false) : shape.requires(name);
      const inner = path === "" ? name : `${path}.${name}`;
      variables.push({ path: inner, type: typeInWords(member), isRequired, isDerived: isAdded });
      enter(member, inner, isAdded, depth + 1);
    }
  };
  const enter = (shape: Shape, path: string, isDerived: boolean, depth: number): void => {
    visit(shape, path, isDerived, depth);
    if (shape.kinds.some(({ type }) => type === "array") && depth <= DEEPEST)
      enter(shape.items(), `${path}[]`, isDerived, depth + 1);
  };
  visit(Shape.ofFilled(contract), "", false, 0);
  return variables;
}

/**
 * A variable's type in plain words.
 *
 * @example
 * typeInWords(shape); // "string or nothing", "list of objects", '"paid" or "open"'
 */
function typeInWords(shape: Shape): string {
  const words = new Set(shape.kinds.flatMap((kind) => wordsOf(kind, shape)));
  const mayBeNothing = words.delete("nothing");
  const types = words.size === 0 ? ["anything"] : [...words];
  return [...types, ...(mayBeNothing && shape.isKnown ? ["nothing"] : [])].join(" or ");
}

const MOST_CHOICES = 6;

function wordsOf({ type, enum: choices, const: value, format, properties }: VariablesSchema, shape: Shape): string[] {
  if (value !== undefined) return [quoted(value)];
  if (choices) return [...choices.slice(0, MOST_CHOICES).map(quoted), ...(choices.length > MOST_CHOICES ? ["…"] : [])];
  if (type === "array") return [`list of ${pluralOf(typeInWords(shape.items()))}`];
  if (type === "string") return [FORMATS[format ?? ""] ?? "string"];
  return [TYPES[type ?? (properties ? "object" : "")] ?? "anything"];
}

const TYPES: Readonly<Record<string, string>> = {
  number: "number",
  integer: "whole number",
  boolean: "true or false",
  object: "object",
  null: "nothing",
};

const FORMATS: Readonly<Record<string, string>> = {
  date: "date",
  "date-time": "date and time",
  bigint: "whole number",
  time: "time",
  email: "email address",
  uri: "URL",
  uuid: "UUID",
};

const PLURALS: Readonly<Record<string, string>> = {
  string: "strings",
  number: "numbers",
  "whole number": "whole numbers",
  object: "objects",
  date: "dates",
  "email address": "email addresses",
  URL: "URLs",
};

function pluralOf(words: string): string {
  return PLURALS[words] ?? words;
}

function quoted(value: unknown): string {
  return value === null ? "nothing" : JSON.stringify(value);
}
