import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { completeVariables } from "../../src/mustache/complete.js";
import { contractChanges } from "../../src/mustache/contract-changes.js";
import { renderMustache } from "../../src/mustache/fill.js";
import { Shape } from "../../src/mustache/shape.js";
import { Scope } from "../../src/mustache/scope.js";
import type { Condition, Variables, VariablesContract, VariablesSchema } from "../../src/mustache/variables.js";
import { jsonSchema } from "./json-schema.js";

const text = z.string();

/** The changes that `text`, so far filled by applications of contract `before`, shows with contract `after`. */
function changes(before: z.ZodType, after: z.ZodType, ...texts: string[]): string[] {
  const contract = (schema: z.ZodType): VariablesContract => ({ input: jsonSchema(schema), conditions: [] });
  return effectsOf(contractChanges({ texts: [], contract: contract(before) }, { texts, contract: contract(after) }));
}

function effectsOf(found: ReturnType<typeof contractChanges>): string[] {
  return found.map(({ variable, effect }) => `${variable} ${effect}`);
}

/** The changes of a body that replaces another if it is unknown what applications pass. */
function changesOf(before: string, after: string): string[] {
  return effectsOf(contractChanges({ texts: [before] }, { texts: [after] }));
}

test("new and removed variables", () => {
  const before = z.object({ name: text, note: text.optional() });
  const after = z.object({ name: text, city: text });
  expect(changes(before, after, "{{name}} {{city}}")).toEqual(["city would be blank"]);
  expect(changes(before, after, "{{#city}}in {{city}}{{/city}}")).toEqual(["city its section would never show"]);
  expect(changes(before, after, "{{^city}}nowhere{{/city}}")).toEqual(["city its section would always show"]);
  expect(changes(before, before, "{{name}} {{note}}"), "optional before").toEqual([]);
  expect(changes(before, z.object({ name: text }), "Hello {{name}}"), "one less, other words").toEqual([]);
});

test("a new test for emptiness, which earlier applications don't pass", () => {
  const input = jsonSchema(z.object({ url: text }));
  const conditions: Condition[] = [{ name: "url__is_empty", within: [], path: "url", test: { kind: "empty" } }];
  const before = { texts: ["{{url}}"], contract: { input, conditions: [] } };
  const texts = ["{{^url__is_empty}}{{url}}{{/url__is_empty}}{{#url__is_empty}}-{{/url__is_empty}}"];
  expect(contractChanges(before, { texts, contract: { input, conditions } })).toEqual([]);
});

test("names in sections are reported with the surrounding sections", () => {
  const before = z.object({ order: z.object({ items: z.array(z.object({ name: text })) }), currency: text });
  const after = z.object({
    order: z.object({ items: z.array(z.object({ name: text, price: text })) }),
    currency: text,
  });
  expect(changes(before, after, "{{#order.items}}{{name}} {{price}} {{currency}}{{/order.items}}")).toEqual([
    "order.items[].price would be blank",
  ]);
  expect(changes(before, after, "{{#order}}{{#items}}{{price}}{{/items}}{{/order}}")).toEqual([
    "order.items[].price would be blank",
  ]);
});

test("a name that is found in a different place than before", () => {
  const before = z.object({ name: text, items: z.array(z.object({ title: text })) });
  const after = z.object({ name: text, items: z.array(z.object({ title: text, name: text })) });
  const body = "{{#items}}{{name}}{{/items}}";
  expect(changes(before, before, body), "outside, as before").toEqual([]);
  expect(changes(before, after, body)).toEqual(["items[].name would show the value of another section"]);
  expect(changes(after, before, body)).toEqual(["name would show the value of another section"]);
});

test.each([
  [z.string(), z.array(z.string()), "{{#it}}{{.}}{{/it}}", "was a string or number, is used as a list"],
  [z.array(z.string()), z.string(), "{{it}}", "was a list, is printed as a string or number"],
  [z.object({ a: text }), z.string(), "{{it}}", "was an object, is printed as a string or number"],
  [z.boolean(), z.string(), "{{it}}", "was true or false, is printed as a string or number"],
  [z.object({ a: text }), z.array(z.object({ a: text })), "{{#it}}{{a}}{{/it}}", "was an object, is used as a list"],
  [z.array(z.string()), z.boolean(), "{{#it}}x{{/it}}", "was a list, is used as true or false"],
])("reports another kind of value: %#", (before, after, body, effect) => {
  expect(changes(z.object({ it: before }), z.object({ it: after }), body)).toEqual([`it ${effect}`]);
});

test.each([
  [z.string(), z.number(), "{{it}}"],
  [z.string(), z.boolean(), "{{#it}}x{{/it}}"],
  [z.object({ a: text }), z.boolean(), "{{#it}}x{{/it}}"],
  [z.union([z.string(), z.array(z.string())]), z.array(z.string()), "{{#it}}{{.}}{{/it}}"],
  [z.any(), z.array(z.object({ a: text })), "{{#it}}{{a}}{{/it}}"],
  [z.string(), z.string().nullable(), "{{it}}"],
  [z.record(z.string(), z.string()), z.object({ a: text }), "{{it.a}}{{#it}}{{a}}{{/it}}"],
  [z.string(), z.enum(["a", "b"]), "{{it}}"],
])("reports nothing if the kind is the same or unknown: %#", (before, after, body) => {
  expect(changes(z.object({ it: before }), z.object({ it: after }), body)).toEqual([]);
});

test("new conditions and derived variables, which applications don't add yet", () => {
  const input = jsonSchema(z.object({ items: z.array(text), total: z.number() }));
  const condition: Condition = { name: "items__has_items", within: [], path: "items", test: { kind: "has-items" } };
  const other: Condition = { ...condition, test: { kind: "has-at-least", count: 2 } };
  const added = (conditions: Condition[], derived?: VariablesSchema): VariablesContract =>
    derived ? { input, conditions, derived } : { input, conditions };
  const body = ["{{#items__has_items}}<ul>{{/items__has_items}}"];
  const compare = (before: VariablesContract, after: VariablesContract, texts = body) =>
    effectsOf(contractChanges({ texts: [], contract: before }, { texts, contract: after }));
  expect(compare(added([]), added([condition]))).toEqual(["items__has_items its section would never show"]);
  expect(compare(added([condition]), added([other]))).toEqual(["items__has_items its section would never show"]);
  expect(compare(added([condition]), added([condition]))).toEqual([]);

  const derived = jsonSchema(z.object({ total: text, when: text }));
  expect(compare(added([]), added([], derived), ["{{when}} {{total}}"])).toEqual([
    "total is derived now; older applications' own value would show instead",
    "when would be blank",
  ]);
  expect(compare(added([], derived), added([], derived), ["{{when}} {{total}}"])).toEqual([]);
});

test("without a contract, the deployed bodies determine what is passed", () => {
  expect(changesOf("{{name}}", "{{name}} {{city}}")).toEqual(["city would be blank"]);
  expect(changesOf("{{#items}}{{name}}{{/items}}", "{{#items}}{{name}}{{price}}{{/items}}")).toEqual([
    "items[].price would be blank",
  ]);
  expect(changesOf("{{#user}}{{name}}{{/user}}", "{{user.name}}"), "an object as well as a list").toEqual([]);
  expect(changesOf("{{#vip}}VIP{{/vip}}", "{{vip}}"), "anything that is there").toEqual([]);
  expect(changesOf("{{#vip}}VIP{{/vip}}", "{{#vip}}{{level}}{{/vip}}")).toEqual(["vip[].level would be blank"]);
});

const names = fc.constantFrom("a", "b", "c");

const { object: schemas } = fc.letrec<{ schema: VariablesSchema; object: VariablesSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<VariablesSchema>({ type: "string" }, { type: "boolean" }),
    tie("object"),
    fc
      .oneof(tie("object"), fc.constant<VariablesSchema>({ type: "string" }))
      .map((items): VariablesSchema => ({ type: "array", items })),
  ),
  object: fc
    .dictionary(names, tie("schema"), { maxKeys: 3, noNullPrototype: true })
    .map((properties): VariablesSchema => ({ type: "object", properties })),
}));

const conditions: fc.Arbitrary<Condition[]> = fc.uniqueArray(
  fc.record<Condition>({
    name: fc.constantFrom("a__is_present", "b__has_items"),
    within: fc.constantFrom([], ["a"], ["c"]),
    path: names,
    test: fc.constantFrom({ kind: "present" }, { kind: "has-items" }, { kind: "truthy" }),
  }),
  { selector: ({ name }) => name },
);

const contracts: fc.Arbitrary<VariablesContract> = fc
  .tuple(schemas, conditions, fc.subarray(["d", "e"]))
  .map(([input, added, derived]) => ({
    input,
    conditions: added,
    derived: { type: "object", properties: Object.fromEntries(derived.map((name) => [name, { type: "string" }])) },
  }));

/** Mostly similar, like versions of a template. */
const versions: fc.Arbitrary<readonly [VariablesContract, VariablesContract]> = fc
  .tuple(
    contracts,
    contracts,
    fc.record({ input: fc.boolean(), conditions: fc.boolean(), derived: fc.boolean() }),
    names,
  )
  .map(([before, other, keep, moved]) => {
    const properties = { ...before.input.properties };
    const taken = other.input.properties?.[moved];
    if (taken) properties[moved] = taken;
    const input: VariablesSchema = { type: "object", properties };
    const after: VariablesContract = {
      input: keep.input ? before.input : input,
      conditions: keep.conditions ? before.conditions : other.conditions,
      ...(keep.derived ? before.derived && { derived: before.derived } : other.derived && { derived: other.derived }),
    };
    return [before, after] as const;
  });

/** A body whose tags all match the contract. */
function bodyOf(contract: VariablesContract, choose: () => number): string {
  const candidates = ["a", "b", "c", "d", "e", "a.b", "b.c", "c.a", "."];
  const write = (around: Scope, within: readonly string[], depth: number): string =>
    Array.from({ length: 1 + (choose() % 4) }, () => {
      const name = candidates[choose() % candidates.length] ?? "a";
      const own = contract.conditions.filter((each) => JSON.stringify(each.within) === JSON.stringify(within));
      const flag = own[0]?.name;
      if (flag !== undefined && choose() % 4 === 0) {
        return `{{#${flag}}}+{{/${flag}}}{{^${flag}}}-{{/${flag}}}`;
      }
      const value = around.resolve(name);
      if (!(value instanceof Shape)) return "";
      const isPrinted = value.kinds.every(({ type }) => type === "string");
      if (isPrinted && (name === "." || choose() % 2 === 0)) return `<{{${name}}}>`;
      if (name === "." || depth === 3) return "";
      if (choose() % 4 === 0) return `{{^${name}}}~${write(around, within, depth + 1)}{{/${name}}}`;
      return `{{#${name}}}[${write(around.within(name), [...within, name], depth + 1)}]{{/${name}}}`;
    }).join("");
  return write(Scope.of(contract), [], 0);
}

function valueOf(schema: VariablesSchema, choose: () => number, path: string): unknown {
  if (schema.type === "string") return path;
  if (schema.type === "boolean") return choose() % 2 === 0;
  const { items } = schema;
  if (typeof items === "object")
    return Array.from({ length: choose() % 3 }, (_, index) => valueOf(items, choose, `${path}${index}`));
  return variablesOf(schema, choose, path);
}

function variablesOf({ properties = {} }: VariablesSchema, choose: () => number, path: string): Variables {
  const present = Object.entries(properties).filter(() => choose() % 4 > 0);
  return Object.fromEntries(present.map(([name, member]) => [name, valueOf(member, choose, `${path}.${name}`)]));
}

function derivedOf({ derived }: VariablesContract): Variables {
  return Object.fromEntries(Object.keys(derived?.properties ?? {}).map((name) => [name, `derived ${name}`]));
}

const RUNS = process.env["MODE"] === "long" ? 20_000 : 300;

test("if nothing breaks, applications of both versions send the same output", () => {
  let unbroken = 0;
  fc.assert(
    fc.property(versions, fc.infiniteStream(fc.nat()), ([before, after], stream) => {
      const choose = (): number => stream.next().value ?? 0;
      const body = bodyOf(after, choose);
      const found = contractChanges({ texts: [], contract: before }, { texts: [body], contract: after });
      const input = variablesOf(before.input, choose, "");
      fc.pre(found.length === 0);
      unbroken += 1;
      const [old, young] = [before, after].map((contract) =>
        renderMustache(body, completeVariables(contract, input, derivedOf(contract)), { escape: "none" }),
      );
      expect(old).toBe(young);
    }),
    { numRuns: RUNS, maxSkipsPerRun: 20 },
  );
  expect(unbroken).toBeGreaterThan(RUNS / 4);
});

const named = z.object({ name: text });

test.each<[string, before: string, after: string, schema: z.ZodType, expected: string]>([
  ["text → list", "Dear {{a}}", "{{#a}}{{.}} {{/a}}", z.array(text), "a was a string or number, is used as a list"],
  ["object → text", "{{a.name}}", "{{a}}", text, "a was an object, is printed as a string or number"],
  [
    "section → text",
    "{{#a}}{{name}}{{/a}}",
    "{{a}}",
    text,
    "a was an object or a list, is printed as a string or number",
  ],
  ["list → object", "{{#a}}{{name}}{{/a}}", "{{a.name}}", named, "a.name would be blank"],
  ["boolean → text", "{{#a}}Hi{{/a}}", "{{a}}", text, "a was true or false, is printed as a string or number"],
])(
  "the new contract is compared with each shape that a deployed body shows: %s",
  (_, before, after, schema, expected) => {
    const contract = { input: jsonSchema(z.object({ a: schema })), conditions: [] };
    expect(effectsOf(contractChanges({ texts: [before] }, { texts: [after], contract }))).toContain(expected);
  },
);

test.each<[string, before: string, after: string, schema: z.ZodType]>([
  ["a guard around a string", "{{a}}", "{{#a}}Dear {{a}}{{/a}}", text],
  ["an inverted condition", "{{#a}}Hi{{/a}}", "{{#a}}Hi{{/a}}{{^a}}Bye{{/a}}", z.boolean()],
  ["the same list elsewhere", "{{#a}}{{name}}{{/a}}", "{{#b}}{{#a}}{{name}}{{/a}}{{/b}}{{#b}}{{/b}}", z.array(named)],
  ["the same object elsewhere", "{{a.name}}", "<b>{{a.name}}</b>{{#a}}{{name}}{{/a}}", named],
])("a schema that matches every shape of the deployed bodies breaks nothing: %s", (_, before, after, schema) => {
  const contract = { input: jsonSchema(z.object({ a: schema, b: z.boolean() })), conditions: [] };
  const texts = [`{{#b}}{{/b}}${before}`];
  expect(effectsOf(contractChanges({ texts }, { texts: [after], contract }))).toEqual([]);
});

test("a version never breaks itself, with or without its contract", () => {
  fc.assert(
    fc.property(contracts, fc.infiniteStream(fc.nat()), (contract, stream) => {
      const body = bodyOf(contract, () => stream.next().value ?? 0);
      const version = { texts: [body], contract };
      expect(contractChanges(version, version)).toEqual([]);
      expect(contractChanges({ texts: [body] }, version)).toEqual([]);
      expect(contractChanges(version, { texts: [body] })).toEqual([]);
      expect(contractChanges({ texts: [body] }, { texts: [body] })).toEqual([]);
    }),
    { numRuns: RUNS / 4 },
  );
});

test("a changed computation is reported with the variable that it is computed from", () => {
  const input = {
    type: "object",
    properties: {
      order: { type: "object", properties: { cents: { type: "number" } } },
      items: { type: "array", items: { type: "object", properties: { cents: { type: "number" } } } },
    },
  } as const;
  const computed = (name: string, by: number, within: readonly string[] = []): Condition => {
    const variable = {
      kind: "variable",
      names: within.length > 0 ? ["cents"] : ["order", "cents"],
      scope: within.length,
    } as const;
    const right = { kind: "value", value: by } as const;
    const expression = { kind: "binary", operator: "/", left: variable, right } as const;
    return { name, within, path: ".", test: { kind: "computed", expression } };
  };
  const above = {
    name: "b__is_above_5",
    within: [],
    path: "b",
    test: { kind: "compares", operator: ">", value: 5 },
  } as const;
  const before = { texts: ["{{a}}"], contract: { input, conditions: [computed("a", 100)] } };
  const texts = ["{{#b__is_above_5}}{{b}}{{/b__is_above_5}}{{#items}}{{c}}{{/items}}"];
  const after = { texts, contract: { input, conditions: [computed("b", 10), above, computed("c", 100, ["items"])] } };
  expect(contractChanges(before, after)).toEqual([
    { variable: "items[].cents", effect: "is used in a new computation, so it would be blank" },
    { variable: "order.cents", effect: "is computed differently, so its section would never show" },
  ]);
  // Without the former contract, its tags tell.
  const former = { texts: ["{{order_cents__abcde}}"] };
  const renamed = {
    texts: ["{{order_cents__fghij}}"],
    contract: { input, conditions: [computed("order_cents__fghij", 10)] },
  };
  expect(contractChanges(former, renamed)).toEqual([
    { variable: "order.cents", effect: "is computed differently, so it would be blank" },
  ]);
  // The former values are still computed.
  const both = { ...after.contract, former: before.contract.conditions };
  expect(contractChanges({ texts, contract: both }, before)).toEqual([]);
  expect(contractChanges({ texts: [], contract: both }, { texts: before.texts })).toEqual([]);
});
