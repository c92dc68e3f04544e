import { isOpenSchema } from "../../../mustache/infer.js";
import { readInferred, unknownNames } from "../../../mustache/read-inferred.js";
import { sampleOf, sampleText } from "../../../mustache/sample.js";
import type { VariablesSchema } from "../../../mustache/variables.js";
import { type ESTree, walk } from "../../../process/rolldown.js";
import { isRecord } from "../../../values.js";

/**
 * An example value for a schema, based on `given`. Members that don't fit the schema and required members that are missing get
 * sample values; names that look misspelt are removed.
 *
 * @returns `given` itself if it fits; undefined if the schema does not define the type of something required.
 *
 * @example
 * const schema = { type: "object", properties: { name: { type: "string" }, count: { type: "number" } }, required: ["name", "count"] } as const;
 * exampleOfSchema(schema, "item", { name: "Pen" }); // { name: "Pen", count: 1 }
 */
export function exampleOfSchema(schema: VariablesSchema, name: string, given?: unknown): unknown {
  if (given === undefined) return sampleAt(schema, name);
  if (problemsOf(given, schema) === 0) return given;
  const [nearest] = (schema.anyOf ?? [schema]).toSorted((a, b) => problemsOf(given, a) - problemsOf(given, b));
  const completed = nearest && complete(given, nearest, name);
  return completed !== undefined && problemsOf(completed, schema) === 0 ? completed : sampleAt(schema, name);
}

/** The number of problems that checking fixtures would report; infinite for a value of the wrong kind. */
function problemsOf(given: unknown, schema: VariablesSchema): number {
  const read = readInferred(given, schema);
  if (read.success) return isRecord(given) || Array.isArray(given) ? misspeltIn(given, schema).length : 0;
  return read.error.issues.some(({ path }) => path.length === 0) ? Infinity : read.error.issues.length;
}

function misspeltIn(given: object, schema: VariablesSchema): (readonly PropertyKey[])[] {
  const holder = { properties: { given: schema }, type: "object" } as const;
  return unknownNames({ given }, holder).flatMap(({ path: [, ...path], near }) => (near === undefined ? [] : [path]));
}

/** Completes the members of an object or array; undefined for other values, and if that isn't possible. */
function complete(given: unknown, schema: VariablesSchema, name: string): unknown {
  const { type, items, properties = {}, required = [] } = schema;
  if (type === "array" && Array.isArray(given) && typeof items === "object") {
    const all = given.map((item: unknown) => exampleOfSchema(items, name, item));
    return all.includes(undefined) ? undefined : all;
  }
  if (type !== "object" || !isRecord(given)) return undefined;
  const misspelt = misspeltIn(given, schema).flatMap((path) => (path.length === 1 ? path : []));
  const object = new Map(Object.entries(given).filter(([key]) => !misspelt.includes(key)));
  for (const [key, member] of Object.entries(properties)) {
    const value = object.get(key) ?? undefined;
    if (isOpenSchema(member) || (value === undefined && !required.includes(key))) continue;
    const example = exampleOfSchema(member, key, value);
    if (example !== undefined) object.set(key, example);
    else object.delete(key);
  }
  return Object.fromEntries(object);
}

function sampleAt(schema: VariablesSchema, name: string): unknown {
  const known = knownPart(schema);
  return known && sampleOf({ properties: { [name]: known } })[name];
}

/** A schema without optional members of unknown type; undefined if a required one is unknown. */
function knownPart(schema: VariablesSchema): VariablesSchema | undefined {
  if (isOpenSchema(schema)) return undefined;
  const { anyOf, items, properties = {}, required = [] } = schema;
  if (anyOf) {
    const kinds = anyOf.flatMap((kind) => knownPart(kind) ?? []);
    return kinds.length > 0 ? { anyOf: kinds } : undefined;
  }
  if (typeof items === "object") {
    const item = knownPart(items);
    return item && { ...schema, items: item };
  }
  const known = new Map<string, VariablesSchema>();
  for (const [name, member] of Object.entries(properties)) {
    const part = knownPart(member);
    if (part) known.set(name, part);
    else if (required.includes(name)) return undefined;
  }
  return { ...schema, properties: Object.fromEntries(known) };
}

/**
 * An example for a value that a function only prints or tests for truthiness, or whose members it prints or tests.
 *
 * @returns Undefined if the function uses the value in any other way, or not at all.
 *
 * @example
 * exampleOfUse(body, "team"); // { name: "name", isPaid: true } for `<p>{team.isPaid && team.name}</p>`
 */
export function exampleOfUse(body: ESTree.Node, name: string): unknown {
  const printed: string[][] = [];
  const tested: string[][] = [];
  const seen = new Set<ESTree.Node>();
  let isOnlyPrinted = true;
  const note = (paths: string[][], node: ESTree.Node): void => {
    const path = pathFrom(node, name, seen);
    if (path) paths.push(path);
  };
  walk(body, (node) => {
    for (const each of printedBy(node)) note(printed, each);
    for (const each of testedBy(node)) note(tested, each);
    if (node.type === "MemberExpression" && !node.computed) seen.add(node.property);
    if (node.type === "Property" && !node.computed) seen.add(node.key);
    // Names that destructuring declares are not uses of the value.
    for (const property of node.type === "ObjectPattern" ? node.properties : [])
      if (property.type === "Property") seen.add(property.value);
    if (node.type === "Identifier" && node.name === name && !seen.has(node)) isOnlyPrinted = false;
    return !node.type.startsWith("TS") || "expression" in node;
  });
  if (!isOnlyPrinted) return undefined;
  const example = printed.reduce((value: unknown, path) => withPath(value, path, sampleText), undefined);
  return tested.reduce((value: unknown, path) => withPath(value, path, () => true), example);
}

/** The expressions that a node prints: in an element, an attribute or a template literal. */
function printedBy(node: ESTree.Node): ESTree.Node[] {
  if (node.type === "JSXExpressionContainer") return choicesOf(node.expression);
  return node.type === "TemplateLiteral" ? node.expressions.flatMap(choicesOf) : [];
}

/** The possible values of an expression: each side of a condition. */
function choicesOf(node: ESTree.Node): ESTree.Node[] {
  if (node.type === "ConditionalExpression") return [...choicesOf(node.consequent), ...choicesOf(node.alternate)];
  if (node.type !== "LogicalExpression") return [node];
  return [...(node.operator === "&&" ? [] : choicesOf(node.left)), ...choicesOf(node.right)];
}

/** The conditions that a node tests. */
function testedBy(node: ESTree.Node): ESTree.Node[] {
  if (node.type === "ConditionalExpression" || node.type === "IfStatement") return [node.test];
  if (node.type === "LogicalExpression" && node.operator === "&&") return [node.left];
  return node.type === "UnaryExpression" && node.operator === "!" ? [node.argument] : [];
}

/** `["user", "name"]` for `user.name`, if it starts with the name. Adds its nodes to `seen`. */
function pathFrom(node: ESTree.Node, name: string, seen: Set<ESTree.Node>): string[] | undefined {
  if (node.type === "Identifier" && node.name === name) {
    seen.add(node);
    return [name];
  }
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return undefined;
  const path = pathFrom(node.object, name, seen);
  return path && [...path, node.property.name];
}

/** Adds a member to an example, unless it already has one. */
function withPath(
  example: unknown,
  [name = "", ...members]: readonly string[],
  sample: (name: string) => unknown,
): unknown {
  const [member] = members;
  if (member === undefined) return example ?? sample(name);
  const object = typeof example === "object" ? { ...example } : {};
  return { ...object, [member]: withPath(Reflect.get(object, member), members, sample) };
}
