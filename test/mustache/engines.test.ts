import * as fc from "fast-check";
import mustache from "mustache";
import { expect, test } from "vitest";
import { completeVariables } from "../../src/mustache/complete.js";
import { evaluator } from "../../src/mustache/expression/evaluate.js";
import { renderMustache } from "../../src/mustache/fill.js";
import { printed } from "../../src/mustache/lookup.js";
import { parse, type MustacheNode } from "../../src/mustache/parse.js";
import { checkVariables, separateDotted } from "../../src/mustache/check-variables.js";
import { Shape } from "../../src/mustache/shape.js";
import { Scope } from "../../src/mustache/scope.js";
import type { Condition, Variables, VariablesContract, VariablesSchema } from "../../src/mustache/variables.js";
import { fillStrictly } from "../render/react/strict-engine.js";
import { treeOf } from "./expression/tree-of.js";

/*
 * The result must not depend on the engine, neither on how it looks up names (mustache.js and others look up a dotted name as a
 * whole in each context) nor on which values it treats as false.
 */

const names = fc.constantFrom("a", "b");

const { object: schemas } = fc.letrec<{ value: VariablesSchema; object: VariablesSchema }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<VariablesSchema>({ type: "string" }, { type: "number" }, { type: "boolean" }),
    tie("object"),
    tie("object").map((object): VariablesSchema => ({ anyOf: [object, { type: "null" }] })),
    tie("object").map((items): VariablesSchema => ({ type: "array", items })),
    fc.constant<VariablesSchema>({ type: "array", items: { type: "string" } }),
  ),
  object: fc
    .tuple(fc.dictionary(names, tie("value"), { minKeys: 1 }), fc.subarray(["a", "b"]))
    .map(([properties, required]): VariablesSchema => ({
      type: "object",
      properties,
      required: required.filter((name) => name in properties),
    })),
}));

type Choose = () => number;

/** A value of the schema with unique strings. */
function valueOf(
  { type, items, anyOf, properties = {}, required = [] }: VariablesSchema,
  choose: Choose,
  path = "",
): unknown {
  if (anyOf) return choose() % 2 === 0 ? null : valueOf(anyOf[0] ?? {}, choose, path);
  if (type === "string") return choose() % 3 === 0 ? "" : path;
  if (type === "number") return choose() % 3;
  if (type === "boolean") return choose() % 2 === 0;
  if (typeof items === "object") {
    return Array.from({ length: choose() % 3 }, (_, index) => valueOf(items, choose, `${path}[${index}]`));
  }
  return membersOf(properties, (name) => required.includes(name) || choose() % 3 > 0, choose, path);
}

function membersOf(
  properties: Readonly<Record<string, VariablesSchema>>,
  isThere: (name: string) => boolean,
  choose: Choose,
  path: string,
): Variables {
  const present = Object.entries(properties).filter(([name]) => isThere(name));
  return Object.fromEntries(present.map(([name, member]) => [name, valueOf(member, choose, `${path}.${name}`)]));
}

type Kind = "print" | "section";

/** Dotted names into a value, with the schemas of the values they refer to. */
function pathsInto(schema: VariablesSchema): [path: string, schema: VariablesSchema][] {
  const { properties = {} } = schema.anyOf?.[0] ?? schema;
  return Object.entries(properties).flatMap(([name, member]) => [
    [name, member] as [string, VariablesSchema],
    ...pathsInto(member).map(([path, inner]): [string, VariablesSchema] => [`${name}.${path}`, inner]),
  ]);
}

/** Sections over strings and numbers are left out: engines disagree on "" and 0, which conditions can test. */
function kindsOf({ type }: VariablesSchema): readonly Kind[] {
  if (type === "string" || type === "number") return ["print"];
  return type === "boolean" ? ["print", "section"] : ["section"];
}

/** A template whose tags refer to the scopes, the innermost first. */
function templateOf(scopes: readonly VariablesSchema[], choose: Choose, depth = 0): string {
  const paths = scopes.flatMap(pathsInto);
  return Array.from({ length: 1 + (choose() % 3) }, () => {
    // Engines differ for longer paths.
    const [path, schema] =
      [choose(), choose()]
        .map((index) => paths[index % paths.length])
        .toSorted((a, b) => (b?.[0].length ?? 0) - (a?.[0].length ?? 0))[0] ?? [];
    if (path === undefined || schema === undefined) return "";
    const kinds = kindsOf(schema);
    if (kinds[choose() % kinds.length] === "print") return `{{${path}}} `;
    if (depth === 2) return "";
    if (choose() % 4 === 0) return `{{^${path}}}<${templateOf(scopes, choose, depth + 1)}>{{/${path}}}`;
    const entered = typeof schema.items === "object" ? schema.items : (schema.anyOf?.[0] ?? schema);
    const own = entered.type === "string" || entered.type === "number" ? "{{.}}" : "";
    return `{{#${path}}}<${own}${templateOf([entered, ...scopes], choose, depth + 1)}>{{/${path}}}`;
  }).join("");
}

/** An engine that looks up dotted names like mustache.js, and treats only null, false and empty lists as false. */
function strict(nodes: readonly MustacheNode[], contexts: readonly unknown[]): string {
  return nodes
    .map((node) => {
      if (node.kind === "text") return node.text;
      if (node.kind !== "variable" && node.kind !== "section") return "";
      const value = find(node.name, contexts);
      if (node.kind === "variable") return value === null || value === undefined ? "" : printed(value);
      const items = Array.isArray(value)
        ? value
        : value === null || value === undefined || value === false
          ? []
          : [value];
      if (node.inverted) return items.length === 0 ? strict(node.children, contexts) : "";
      return items.map((item: unknown) => strict(node.children, [item, ...contexts])).join("");
    })
    .join("");
}

function find(name: string, contexts: readonly unknown[]): unknown {
  if (name === ".") return contexts[0];
  for (const context of contexts) {
    let value: unknown = context;
    const found = name.split(".").every((part) => {
      if (typeof value !== "object" || value === null || !(part in value)) return false;
      value = Reflect.get(value, part);
      return true;
    });
    if (found) return value;
  }
  return undefined;
}

/** Whether a section is over a string or a number after all: the nearest value of that name decides. */
function testsScalars(nodes: readonly MustacheNode[], around: Scope): boolean {
  return nodes.some((node) => {
    if (node.kind !== "section") return false;
    const value = around.resolve(node.name);
    if (!(value instanceof Shape) || value.kinds.some(({ type }) => type === "string" || type === "number"))
      return true;
    return testsScalars(node.children, node.inverted ? around : around.within(node.name));
  });
}

function filledSchema({ input, derived }: VariablesContract): VariablesSchema {
  return { type: "object", properties: { ...input.properties, ...derived?.properties } };
}

const RUNS = process.env["MODE"] === "long" ? 4000 : 50;

test("filling gives the same result in every engine", () => {
  let tried = 0;
  fc.assert(
    fc.property(schemas, fc.option(schemas), fc.infiniteStream(fc.nat()), (input, derived, numbers) => {
      const contract = { input, ...(derived && { derived }), conditions: [] };
      const choose: Choose = () => Number(numbers.next().value);
      const written = templateOf([filledSchema(contract)], choose);
      // Rejected: a name with a different meaning in a nearer section, and sections on which engines disagree.
      if (checkVariables([written], contract).length > 0 || testsScalars(parse(written).nodes, Scope.of(contract))) {
        return;
      }
      const [passed, added] = [valueOf(input, choose), membersOf(derived?.properties ?? {}, () => true, choose, "+")];
      const completed = completeVariables(contract, passed as Variables, added);
      const text = separateDotted(written, contract);
      const ours = renderMustache(text, completed, { escape: "none" });
      expect(renderMustache(written, completed, { escape: "none" })).toBe(ours);
      expect(mustache.render(text, completed, {}, { escape: String })).toBe(ours);
      expect(strict(parse(text).nodes, [completed])).toBe(ours);
      tried += 1;
    }),
    { numRuns: RUNS },
  );
  expect(tried).toBeGreaterThan(RUNS / 10);
});

const computed = (name: string, source: string, within: readonly string[] = []): Condition => ({
  name,
  within,
  path: ".",
  test: { kind: "computed", expression: treeOf(source, within.length > 0 ? 1 : 0) },
});

const COMPUTED: readonly Condition[] = [
  computed("total__a1", "(p.cents / 100).toFixed(2)"),
  computed("more__b2", "p.items.length - 1"),
  { name: "more_b2__is_truthy", within: [], path: "more__b2", test: { kind: "truthy" } },
  computed("first__c3", "p.items.find((item) => item.price > 1)"),
  { name: "first_c3__is_present", within: [], path: "first__c3", test: { kind: "present" } },
  computed("items__d4", "p.items.filter((item) => item.price > 0).toSorted((a, b) => a.price - b.price)"),
  { name: "items_d4__has_items", within: [], path: "items__d4", test: { kind: "has-items" } },
  { name: "items_d4__length", within: [], path: "items__d4", test: { kind: "length" } },
  computed("label__e5", "p.label.toUpperCase()", ["items__d4"]),
  computed("price__f6", "p.price % 2", ["items__d4"]),
  { name: "price_f6__is_1", within: ["items__d4"], path: "price__f6", test: { kind: "equals", value: 1 } },
];

const WITH_COMPUTED =
  "{{total__a1}}; {{more__b2}} {{#more_b2__is_truthy}}more{{/more_b2__is_truthy}}{{^more_b2__is_truthy}}none{{/more_b2__is_truthy}}; " +
  "{{#first_c3__is_present}}{{#first__c3}}{{label}}{{/first__c3}}{{/first_c3__is_present}}; " +
  "{{#items_d4__has_items}}{{items_d4__length}}: {{#items__d4}}{{label__e5}} {{price}} {{#price_f6__is_1}}odd{{/price_f6__is_1}}, {{/items__d4}}{{/items_d4__has_items}}";

test.each<[Variables, string]>([
  [{ cents: 0, items: [] }, "0.00; -1 more; ; "],
  [{ cents: -50, items: [{ label: "Tea", price: 0 }] }, "-0.50; 0 none; ; "],
  [
    {
      cents: 1999,
      items: [
        { label: "b", price: 3 },
        { label: "ß", price: 1 },
        { label: "c", price: 2 },
      ],
    },
    "19.99; 2 more; b; 3: SS 1 odd, C 2 , B 3 odd, ",
  ],
])("engines print the same computed values, conditions on them and computed lists", (passed, expected) => {
  const input: VariablesSchema = {
    type: "object",
    properties: {
      cents: { type: "number" },
      items: {
        type: "array",
        items: { type: "object", properties: { label: { type: "string" }, price: { type: "number" } } },
      },
    },
  };
  const contract = { input, conditions: COMPUTED };
  const completed = completeVariables(contract, passed, {}, { evaluator, locale: "en-US", timeZone: "UTC" });
  const asSent: Variables = JSON.parse(JSON.stringify(completed));
  expect(renderMustache(WITH_COMPUTED, completed, { escape: "none" })).toBe(expected);
  expect(mustache.render(WITH_COMPUTED, asSent, {}, { escape: String })).toBe(expected);
  expect(strict(parse(WITH_COMPUTED).nodes, [asSent])).toBe(expected);
  expect(fillStrictly(WITH_COMPUTED, asSent)).toBe(expected);
});
