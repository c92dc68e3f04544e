import type { CheckedTemplate } from "../../../check/rule.js";
import { derivedTextTags, htmlTags, subjectTags, textTags, type TagInPlace } from "../../../check/lib/variables.js";
import { Shape } from "../../../mustache/shape.js";
import type { VariablesContract, VariablesSchema } from "../../../mustache/variables.js";
import type { VariableReport, VariableUse } from "../../contract.js";
import type { Places } from "./places.js";
import type { ShownPath } from "./problems.js";

/** Every variable of a template with all of its uses, in schema order. */
export function variablesOf(checked: CheckedTemplate, places: Places, shownPath: ShownPath): readonly VariableReport[] {
  const { contract } = checked.compiled;
  const declared = declaredIn(contract);
  const uses = new Map(declared.map(({ path }) => [path, [] as VariableUse[]]));
  const conditions = new Map(contract.conditions.map(({ name, path }) => [name, path]));
  const parts = [
    ["subject", subjectTags(checked)],
    ["html", htmlTags(checked)],
    ["text", textTags(checked)],
    ["text", derivedTextTags(checked)],
  ] as const;
  for (const [part, tags] of parts) {
    for (const tag of tags) {
      const path = pathOf(tag, conditions);
      const known = uses.get(path) ?? uses.get(path.replace(/(?:\[\])+$/, "")) ?? [];
      known.push(useOf(tag, part, places, shownPath));
      if (known.length === 1 && !uses.has(path)) uses.set(path, known);
    }
  }
  const named = new Set(declared.map(({ path }) => path));
  const others = [...uses.keys()].filter((path) => !named.has(path));
  return [
    ...declared.map((variable) => ({ ...variable, uses: uses.get(variable.path) ?? [] })),
    ...others.map((path) => ({
      path,
      type: "anything",
      isRequired: false,
      isDerived: false,
      uses: uses.get(path) ?? [],
    })),
  ];
}

/** A section that tests a condition belongs to the condition's variable. */
function pathOf({ name, found, scope }: TagInPlace, conditions: ReadonlyMap<string, string>): string {
  if (found) return found.path;
  const about = conditions.get(name);
  return about === undefined ? name : (scope.find(about)?.path ?? about);
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
