import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import { itemsPreset, presetsWith } from "../../../preview/variables/presets/presets.js";
import { checkVariables } from "../../../preview/variables/schema/check.js";
import { examples } from "./variables-schemas.js";

const presets = presetsWith(60);

test("presets return variables that fit the schema, and the same each time", async () => {
  await fc.assert(
    fc.asyncProperty(examples, fc.constantFrom(...presets), async ({ schema, variables }, preset) => {
      const before = structuredClone(variables);
      const made = await preset.apply(schema, variables);
      expect(checkVariables(schema, made)).toEqual([]);
      expect(await preset.apply(schema, variables)).toEqual(made);
      expect(variables).toEqual(before);
    }),
  );
});

const schema: VariablesSchema = {
  type: "object",
  required: ["name", "lines", "link", "status"],
  properties: {
    name: { type: "string" },
    note: { type: "string" },
    link: { type: "string" },
    status: { enum: ["open", "paid"] },
    lines: {
      type: "array",
      items: {
        type: "object",
        required: ["label", "tags"],
        properties: { label: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
      },
    },
  },
};
const variables: Variables = {
  name: "Ada 12",
  note: "Hi",
  link: "https://example.com/",
  status: "open",
  lines: [
    { label: "Tea", tags: ["hot"] },
    { label: "Jam", tags: [] },
  ],
};

async function apply(name: string, input: Variables = variables): Promise<Variables> {
  return (await presets.find((preset) => preset.name === name)?.apply(schema, input)) ?? {};
}

test("Long repeats strings, adds a word that cannot be broken, and lengthens nested lists less", async () => {
  const { name, link, status, lines } = await apply("Long");
  expect(name).toMatch(/^(?:Ada 12 ){8}\S{60,}$/);
  expect({ link, status }).toEqual({ link: "https://example.com/", status: "open" });
  expect(lines).toHaveLength(12);
  expect(Object(lines)[0].tags).toHaveLength(3);
});

test("60 items also fills empty lists, and leaves strings unchanged", async () => {
  const { name, lines } = await apply("60 items", { ...variables, lines: [] });
  expect(name).toBe("Ada 12");
  expect(lines).toHaveLength(60);
  expect(Object(lines)[59]).toEqual({ label: "", tags: ["", "", ""] });
});

test("lists get the chosen number of items, even if it is lower, within their limits", async () => {
  const lines = async (count: number, items = variables["lines"]) => {
    const made = await itemsPreset(count).apply(schema, { ...variables, lines: items });
    return Object(made["lines"]).map(({ label }: { label: string }) => label);
  };
  expect(await lines(3)).toEqual(["Tea", "Jam", "Tea"]);
  expect(await lines(1)).toEqual(["Tea"]);
  expect(await lines(1, [])).toEqual([""]);
  const { items, ...list } = schema.properties?.["lines"] ?? {};
  const bounded = {
    ...schema,
    properties: { ...schema.properties, lines: { ...list, items, minItems: 2, maxItems: 5 } },
  };
  const check = (made: Variables) => {
    const { length } = Object(made["lines"]);
    return length < 2 || length > 5 ? [{ path: ["lines"], message: "too many or too few" }] : [];
  };
  expect((await itemsPreset(30).apply(bounded, variables, check))["lines"]).toHaveLength(5);
  expect((await itemsPreset(1).apply(bounded, variables, check))["lines"]).toHaveLength(2);
});

test("Empty leaves out optional values", async () => {
  expect(await apply("Empty")).toEqual({ name: "", link: "", status: "open", lines: [] });
});

test("Right to left keeps digits and email addresses", async () => {
  const { name, link } = await apply("Right to left");
  expect(name).toMatch(/^[\u0590-\u06FF][^a-z]+ 12$/i);
  expect(link).toBe("https://example.com/");
});

test("HTML in values keeps the original value between tags, quotes and braces", async () => {
  expect((await apply("HTML in values")).note).toBe(`<b>Hi</b> & "quotes", 'quotes' <i>{{name}} {{{name}}}`);
});

test("a recursive schema ends", async () => {
  const tree: VariablesSchema = {
    type: "object",
    required: ["label", "children"],
    properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
  };
  for (const preset of presets) {
    const made = await preset.apply(tree, { label: "Root", children: [{ label: "Leaf", children: [] }] });
    expect(JSON.stringify(made).length).toBeLessThan(200_000);
    expect(checkVariables(tree, made)).toEqual([]);
  }
});

test("a value that does not fit stays unchanged and does not prevent the rest", async () => {
  expect(await apply("Long", { ...variables, status: "late", name: 3 })).toMatchObject({ status: "late", name: 3 });
});
