import { expect, test } from "vitest";
import { closeSchema } from "../../src/mustache/infer.js";
import type { Variables, VariablesSchema } from "../../src/mustache/variables.js";

function closed(schema: VariablesSchema, text: string, ...examples: readonly Variables[]): VariablesSchema {
  return closeSchema(schema, { texts: [text], examples, conditions: [], ownNames: [] });
}

test("the schema takes precedence, what it leaves open is inferred, and other names in tags are added", () => {
  const schema: VariablesSchema = {
    type: "object",
    properties: {
      name: { type: "string" },
      tags: {},
      shop: { type: "object", properties: { id: { type: "number" } } },
    },
    required: ["tags", "shop"],
  };
  const text = "{{name}}{{#tags}}{{.}}{{/tags}}{{shop.title}}{{year}}";
  expect(closed(schema, text, { name: "A", tags: ["a"], shop: { id: 1, title: "S" }, year: 1, other: 2 })).toEqual({
    type: "object",
    properties: {
      name: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      shop: { type: "object", properties: { id: { type: "number" }, title: { type: "string" } }, required: ["title"] },
      year: { type: "number" },
    },
    required: ["tags", "shop", "year"],
  });
});

test("an open member that neither an example nor a tag has is left out, and an inferred one keeps its description", () => {
  const properties = { used: { description: "Used." }, unused: { description: "Unused." } };
  expect(closed({ type: "object", properties, required: ["used", "unused"] }, "{{used}}")).toEqual({
    type: "object",
    properties: { used: { type: "string", description: "Used." } },
    required: ["used"],
  });
});

test("a name of one kind of a union is not added to the others", () => {
  const kind = (name: string): VariablesSchema => ({
    type: "object",
    properties: { kind: { const: name }, [name]: { type: "string" } },
    required: ["kind", name],
  });
  const schema = {
    type: "object",
    properties: { event: { anyOf: [kind("a"), kind("b")] } },
    required: ["event"],
  } as const;
  expect(closed(schema, "{{#event}}{{a}}{{b}}{{/event}}", { event: { kind: "a", a: "x" } })).toEqual(schema);
});

test("in a record, a name in tags is one of its members, and may be absent", () => {
  const labels: VariablesSchema = {
    type: "object",
    properties: {},
    required: [],
    additionalProperties: { type: "string" },
  };
  expect(
    closed({ type: "object", properties: { labels }, required: [] }, "{{labels.de}}").properties?.["labels"],
  ).toEqual({
    ...labels,
    properties: { de: { type: "string" } },
  });
});
