import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withValue, valueAt, type ValuePath } from "../../../preview/variables/path.js";
import { moveItem } from "../../../preview/variables/form/form-state.js";
import { printJson, readJson } from "../../../preview/variables/json/read.js";
import { isEqual } from "../../../preview/state/json.js";
import { blankValue, chosenWay, convertValue, fieldTypes } from "../../../preview/variables/schema/ways.js";
import { checkVariables } from "../../../preview/variables/schema/check.js";
import { withDefaults } from "../../../preview/variables/completed.js";
import { examples } from "./variables-schemas.js";

/** Every path of a value except the root. */
function pathsOf(value: unknown, path: ValuePath = []): ValuePath[] {
  if (typeof value !== "object" || value === null) return path.length === 0 ? [] : [path];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inner = steps.flatMap((step) => pathsOf(Reflect.get(value, step), [...path, step]));
  return path.length === 0 ? inner : [path, ...inner];
}

const places = examples.chain((example) => {
  const paths = pathsOf(example.variables);
  return fc.record({
    ...asArbitraries(example),
    path: paths.length === 0 ? fc.constant([]) : fc.constantFrom(...paths),
  });
});

function asArbitraries<Each extends object>(each: Each): { [Name in keyof Each]: fc.Arbitrary<Each[Name]> } {
  const entries = Object.entries(each).map(([name, value]) => [name, fc.constant(value)]);
  return Object.fromEntries(entries) as { [Name in keyof Each]: fc.Arbitrary<Each[Name]> };
}

describe("a change of one field", () => {
  test("keeps every other member unchanged and in order", () => {
    fc.assert(
      fc.property(places, fc.string(), ({ variables, path }, text) => {
        fc.pre(path.length > 0);
        const before = structuredClone(variables);
        const changed = withValue(variables, path, text);
        expect(variables).toEqual(before);
        expect(valueAt(changed, path)).toBe(text);
        const others = pathsOf(variables).filter((each) => !startsWith(each, path) && !startsWith(path, each));
        for (const other of others) expect(valueAt(changed, other)).toBe(valueAt(variables, other));
        expect(isEqual(withValue(changed, path, valueAt(variables, path)), variables)).toBe(true);
        expect(Object.keys(changed)).toEqual(Object.keys(variables));
      }),
    );
  });

  test("removes only that member if its value is removed", () => {
    fc.assert(
      fc.property(places, ({ variables, path }) => {
        fc.pre(path.length > 0);
        const holder = path.slice(0, -1);
        const [before, after] = [valueAt(variables, holder), valueAt(withValue(variables, path, undefined), holder)];
        expect(Object.keys(Object(after))).toHaveLength(Object.keys(Object(before)).length - 1);
      }),
    );
  });
});

function startsWith(path: ValuePath, beginning: ValuePath): boolean {
  return beginning.every((step, index) => path[index] === step);
}

test("form and JSON agree: printed variables are read back unchanged", () => {
  fc.assert(
    fc.property(examples, ({ variables }) => {
      const { variables: read } = readJson(printJson(variables));
      expect(read).toEqual(variables);
      expect(isEqual(read, variables)).toBe(true);
    }),
  );
});

test("an initial value fits the schema, and so does a value converted to another type", () => {
  fc.assert(
    fc.property(examples, ({ schema, variables }) => {
      expect(checkVariables(schema, blankValue(schema, schema))).toEqual([]);
      for (const [name, part] of Object.entries(schema.properties ?? {})) {
        for (const { schema: way } of fieldTypes(part, schema)) {
          const value = convertValue(valueAt(variables, [name]), way, schema);
          expect(checkVariables({ ...way, $defs: schema.$defs ?? {} }, value)).toEqual([]);
        }
      }
    }),
  );
});

test("a field uses the branch that its value fits", () => {
  fc.assert(
    fc.property(examples, ({ schema, variables }) => {
      for (const [name, part] of Object.entries(schema.properties ?? {})) {
        if (!Object.hasOwn(variables, name)) continue;
        const way = chosenWay(valueAt(variables, [name]), fieldTypes(part, schema), schema);
        expect(checkVariables({ ...way?.schema, $defs: schema.$defs ?? {} }, valueAt(variables, [name]))).toEqual([]);
      }
    }),
  );
});

test("an object of another type keeps common members", () => {
  const card = {
    type: "object",
    required: ["kind", "name", "last4"],
    properties: { kind: { const: "card" }, name: { type: "string" }, last4: { type: "string" } },
  } as const;
  const transfer = {
    type: "object",
    required: ["kind", "name", "iban"],
    properties: { kind: { const: "transfer" }, name: { type: "string" }, iban: { type: "string" } },
  } as const;
  const root = { type: "object", properties: { payment: { anyOf: [card, transfer] } } } as const;
  const ways = fieldTypes(root.properties.payment, root);
  expect(ways.map(({ label }) => label)).toEqual(["kind: card", "kind: transfer"]);
  expect(convertValue({ kind: "card", name: "Ada", last4: "4242" }, ways[1]?.schema ?? {}, root)).toEqual({
    kind: "transfer",
    name: "Ada",
    iban: "",
  });
});

test("defaults are added wherever a value is missing, and only there", () => {
  const schema = {
    type: "object",
    properties: {
      currency: { type: "string", default: "EUR" },
      note: { anyOf: [{ type: "string" }, { type: "null" }], default: "none" },
      lines: { type: "array", items: { type: "object", properties: { quantity: { type: "number", default: 1 } } } },
      address: { type: "object", properties: { country: { type: "string", default: "CH" } } },
    },
  } as const;
  expect(withDefaults(schema, { note: null, lines: [{}, { quantity: 3, more: true }] })).toEqual({
    currency: "EUR",
    note: null,
    lines: [{ quantity: 1 }, { quantity: 3, more: true }],
  });
});

test("moving an item keeps the others in order", () => {
  expect(moveItem(["a", "b", "c", "d"], 0, 2)).toEqual(["b", "c", "a", "d"]);
  expect(moveItem(["a", "b", "c", "d"], 3, 0)).toEqual(["d", "a", "b", "c"]);
});
