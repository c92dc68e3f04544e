import * as fc from "fast-check";
import mustache from "mustache";
import { expect, test } from "vitest";
import { completeVariables } from "../../src/mustache/complete.js";
import { renderMustache } from "../../src/mustache/fill.js";
import type { Variables, VariablesSchema } from "../../src/mustache/variables.js";

const { object: schemas } = fc.letrec<{ schema: VariablesSchema; object: VariablesSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constant<VariablesSchema>({ type: "string" }),
    tie("object"),
    tie("object").map((items): VariablesSchema => ({ type: "array", items })),
  ),
  object: fc
    .dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { minKeys: 1 })
    .map((properties): VariablesSchema => ({ type: "object", properties })),
}));

function membersOf(schema: VariablesSchema): [string, VariablesSchema][] {
  return Object.entries(schema.properties ?? {});
}

/** Variables of the schema that lack some values; every string in them is unique. */
function variablesOf(schema: VariablesSchema, choose: () => number, path = ""): Variables {
  const present = membersOf(schema).filter(() => choose() % 3 > 0);
  return Object.fromEntries(present.map(([name, member]) => [name, valueOf(member, choose, `${path}.${name}`)]));
}

function valueOf(schema: VariablesSchema, choose: () => number, path: string): unknown {
  const { type, items } = schema;
  if (type === "string") return path;
  if (typeof items !== "object") return variablesOf(schema, choose, path);
  return Array.from({ length: choose() % 3 }, (_, index) => variablesOf(items, choose, `${path}.${index}`));
}

/** A template that prints every variable in every scope. */
function templateOf(schema: VariablesSchema): string {
  return membersOf(schema)
    .map(([name, member]) => {
      if (member.type === "string") return `(${name}={{${name}}}{{^${name}}}-{{/${name}}})`;
      return `{{#${name}}}[${templateOf(typeof member.items === "object" ? member.items : member)}]{{/${name}}}`;
    })
    .join("");
}

/** What that template should print: the own values of every scope, and nothing else. */
function expectedOf(schema: VariablesSchema, scope: unknown): string {
  return membersOf(schema)
    .map(([name, member]) => {
      const value: unknown = typeof scope === "object" && scope !== null ? Reflect.get(scope, name) : undefined;
      if (member.type === "string") return `(${name}=${typeof value === "string" ? value : "-"})`;
      if (value === undefined) return "";
      const inner = typeof member.items === "object" ? member.items : member;
      return (Array.isArray(value) ? value : [value]).map((item) => `[${expectedOf(inner, item)}]`).join("");
    })
    .join("");
}

const RUNS = process.env["MODE"] === "long" ? 10_000 : 100;

test("completed variables never show an outer value inside a section, neither here nor in mustache.js", () => {
  let wouldLeak = 0;
  fc.assert(
    fc.property(schemas, fc.infiniteStream(fc.nat()), (schema, numbers) => {
      const variables = variablesOf(schema, () => Number(numbers.next().value));
      const completed = completeVariables({ input: schema, conditions: [] }, variables);
      const template = templateOf(schema);
      const expected = expectedOf(schema, variables);
      expect(renderMustache(template, completed, { escape: "none" })).toBe(expected);
      expect(mustache.render(template, completed)).toBe(expected);
      if (renderMustache(template, variables, { escape: "none" }) !== expected) wouldLeak += 1;
    }),
    { numRuns: RUNS },
  );
  expect(wouldLeak, "cases that leak without completion are among them").toBeGreaterThan(RUNS / 20);
});
