import type { Evidence } from "./evidence.js";
import { gatherEvidence, type InferenceSources } from "./infer.js";
import type { Condition, Variables, VariablesContract, VariablesSchema } from "./variables.js";
import { computesValues } from "./complete.js";
import { type MustacheNode, parse } from "./parse.js";
import { Scope } from "./scope.js";

export interface DerivedInput extends Pick<InferenceSources, "texts" | "conditions"> {
  /** What the application passes. */
  readonly input: VariablesSchema;
  /** The schema of the parsed values: defaults and transforms applied. */
  readonly output: VariablesSchema;
  readonly examples: readonly FilledExample[];
  /** Whether there is a `derive`. If no example shows what it returns, the tags do. */
  readonly hasDerive: boolean;
  readonly ownNames?: InferenceSources["ownNames"];
}

export interface FilledExample {
  /** Parsed by the schema. */
  readonly parsed: Variables;
  /** What `derive` added. */
  readonly derived: Variables;
}

/**
 * The type of the variables that differ for the tags from what is passed: what `derive` adds, as all examples show it, and
 * what the schema transforms. Where a schema leaves types open, examples and tags fill them in.
 * Undefined if there are none.
 */
export function derivedSchema(facts: DerivedInput): VariablesSchema | undefined {
  const { input, output, examples, texts, conditions, ownNames = [] } = facts;
  const evidence = gatherEvidence({
    texts,
    examples: examples.map(({ parsed, derived }) => ({ ...parsed, ...derived })),
    conditions,
    ownNames,
    schema: output,
  });
  const added = namesAdded(facts, evidence);
  const changed = Object.entries(output.properties ?? {}).flatMap(([name, property]) => {
    if (added.includes(name) || refersToRoot(property)) return [];
    const closed = close(property, evidence.member(name));
    return isSame(closed, input.properties?.[name], [output, input]) ? [] : [[name, closed] as const];
  });
  const names = [...changed.map(([name]) => name), ...added];
  if (names.length === 0) return undefined;
  const known = evidence.toObjectSchema("unknown");
  const derived = added.map((name) => [name, known.properties?.[name] ?? {}]);
  const required = names.filter((name) => (added.includes(name) ? known : output).required?.includes(name));
  return {
    type: "object",
    properties: Object.fromEntries([...changed, ...derived]),
    ...(required.length > 0 && { required }),
    ...(JSON.stringify(changed).includes('"$ref"') && output.$defs && { $defs: output.$defs }),
  };
}

function namesAdded({ output, examples, hasDerive }: DerivedInput, { members }: Evidence): string[] {
  if (examples.length > 0) return [...new Set(examples.flatMap(({ derived }) => Object.keys(derived)))].sort();
  return hasDerive ? [...members.keys()].filter((name) => !Object.hasOwn(output.properties ?? {}, name)).sort() : [];
}

/** A schema whose open types are filled in from examples and tags. */
function close(schema: VariablesSchema, evidence: Evidence): VariablesSchema {
  const { properties, additionalProperties, items, anyOf, oneOf } = schema;
  if (isOpen(schema)) return { ...schema, ...(evidence.isUsed ? evidence.toSchema("needed") : {}) };
  const named = Object.entries(properties ?? {}).map(([name, each]) => [name, close(each, evidence.member(name))]);
  const others = typeof additionalProperties === "object" || additionalProperties === true ? [...evidence.members] : [];
  const more = others
    .filter(([name, { isNamedInTags }]) => isNamedInTags && !Object.hasOwn(properties ?? {}, name))
    .map(([name, each]) => [name, typeof additionalProperties === "object" ? close(additionalProperties, each) : {}]);
  return {
    ...schema,
    ...((properties !== undefined || more.length > 0) && { properties: Object.fromEntries([...named, ...more]) }),
    ...(typeof items === "object" && { items: close(items, evidence.item) }),
    ...(anyOf && { anyOf: anyOf.map((branch) => close(branch, evidence)) }),
    ...(oneOf && { oneOf: oneOf.map((branch) => close(branch, evidence)) }),
  };
}

function isOpen({ type, properties, enum: values, const: value, $ref, anyOf, oneOf, allOf }: VariablesSchema): boolean {
  return [type, properties, values, value, $ref, anyOf, oneOf, allOf].every((part) => part === undefined);
}

/** Outside its schema, such a reference would have another meaning. */
function refersToRoot(schema: VariablesSchema): boolean {
  return JSON.stringify(schema).includes('"$ref":"#"');
}

function isSame(
  output: VariablesSchema,
  input: VariablesSchema | undefined,
  [outputRoot, inputRoot]: readonly [VariablesSchema, VariablesSchema],
): boolean {
  const [there, here] = [JSON.stringify(essence(output)), JSON.stringify(essence(input))];
  const definitions = ({ $defs }: VariablesSchema): string => JSON.stringify(essenceOfNamed($defs));
  return there === here && (!there.includes("#/$defs/") || definitions(outputRoot) === definitions(inputRoot));
}

/** What matters to tags and expressions. */
function essence(schema: VariablesSchema | boolean | undefined): unknown {
  if (typeof schema !== "object") return schema === true;
  const { type, properties, additionalProperties, items, prefixItems, anyOf, oneOf, allOf, $ref } = schema;
  return [
    [type, schema["x-javascript"], schema.enum, schema.const, $ref],
    essenceOfNamed(properties),
    [additionalProperties, items].map(essence),
    [prefixItems, anyOf ?? oneOf, allOf].map((branches = []) => branches.map(essence)),
  ];
}

function essenceOfNamed(schemas: Readonly<Record<string, VariablesSchema>> = {}): unknown {
  return Object.entries(schemas)
    .map(([name, schema]) => [name, essence(schema)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Whether `derive`, the schema or computed values change what tags see: other variables than the application passes, or
 * other types. Naming an entry of an object with arbitrary keys does not count.
 */
export function isComputed({ input, derived, conditions }: VariablesContract): boolean {
  if (computesValues({ conditions })) return true;
  return Object.entries(derived?.properties ?? {}).some(([name, filled]) => {
    const passed = input.properties?.[name];
    return passed === undefined || !isUnchanged(filled, passed);
  });
}

function isUnchanged(filled: VariablesSchema, passed: VariablesSchema): boolean {
  const hasFreeNames = typeof passed.additionalProperties === "object" || passed.additionalProperties === true;
  const areMembersUnchanged = Object.entries(filled.properties ?? {}).every(([name, member]) => {
    const own = passed.properties?.[name];
    return own === undefined ? hasFreeNames : isUnchanged(member, own);
  });
  return areMembersUnchanged && areItemsUnchanged(filled, passed) && rest(filled) === rest(passed);
}

function areItemsUnchanged({ items: filled }: VariablesSchema, { items: passed }: VariablesSchema): boolean {
  if (typeof filled === "object" && typeof passed === "object") return isUnchanged(filled, passed);
  return filled === passed;
}

/** Of the other keywords, those that matter to tags. */
function rest(schema: VariablesSchema): string {
  const { type, additionalProperties, prefixItems, anyOf, oneOf, allOf, $ref } = schema;
  return JSON.stringify([
    type,
    additionalProperties,
    prefixItems,
    anyOf,
    oneOf,
    allOf,
    $ref,
    schema.enum,
    schema.const,
  ]);
}

/**
 * The derived variables that every example has and that tags print without testing anywhere whether they are there: if
 * `derive` omits one, the message has a gap. Variables in sections over a condition are deliberate; a section over a list
 * does not test its items.
 *
 * @param texts All of a template's bodies.
 */
export function printedDerived(texts: readonly string[], contract: VariablesContract): string[] {
  const { derived, conditions } = contract;
  if (!derived) return [];
  const variables = Scope.of(contract);
  const added = new Map(conditions.map((condition) => [condition.name, condition]));
  const printed = new Set<string>();
  const tested = new Set(
    conditions
      .filter(({ test }) => !isAboutPlace(test) && test.kind !== "computed")
      .map(({ within, path }) => variables.inside(within).find(path)?.path),
  );
  const read = (nodes: readonly MustacheNode[], scope: Scope): void => {
    for (const node of nodes) {
      if (node.kind !== "variable" && node.kind !== "section") continue;
      const condition = added.get(node.name);
      if (condition) {
        for (const { path, mayBeAbsent } of node.kind === "variable" ? variables.requiredBy(condition) : [])
          if (!mayBeAbsent) printed.add(path);
        continue;
      }
      const variable = scope.find(node.name);
      if (!variable) continue;
      const { path, mayBeAbsent, shape } = variable;
      if (node.kind === "variable") {
        if (!mayBeAbsent) printed.add(path);
      } else if (!node.inverted && shape.isKnown && shape.kinds.every(({ type }) => type === "array")) {
        read(node.children, scope.within(node.name));
      } else tested.add(path);
    }
  };
  for (const text of texts) read(parse(text).nodes, variables);
  const isDerived = (path: string): boolean => Object.hasOwn(derived.properties ?? {}, /^[^.[]*/.exec(path)?.[0] ?? "");
  const isTested = (path: string): boolean =>
    tested.has(path) || [...tested].some((other) => path.startsWith(`${other}.`));
  return [...printed].filter((path) => isDerived(path) && !isTested(path)).toSorted();
}

/** The position of an item says nothing about its content. */
function isAboutPlace({ kind }: Condition["test"]): boolean {
  return kind === "among-first" || kind === "among-last";
}
