import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createModuleHost } from "../../../src/process/host.js";
import type { Variables } from "../../../src/mustache/variables.js";
import { presetsWith } from "../../../preview/variables/presets/presets.js";
import type { CheckValues } from "../../../preview/variables/presets/fitting.js";
import { problemOf } from "../../../src/preview/variables-answer.js";
import { loadTemplates } from "../../../src/project/load-templates.js";
import { readVariablesModule, tryVariables } from "../../../src/project/variables-module.js";
import { variablesSchemaOf } from "../../../src/project/variables-task.js";
import { removeFolder } from "../../remove-folder.js";

interface Example {
  readonly schema: z.ZodType;
  readonly value: unknown;
}

const presets = presetsWith(60);

const isLong = process.env["MODE"] === "long";

const fixed = (schema: z.ZodType, ...values: readonly unknown[]): fc.Arbitrary<Example> =>
  fc.constantFrom(...values).map((value) => ({ schema, value }));

const leaves = fc.oneof(
  fixed(z.string(), "Ada", ""),
  fixed(z.string().min(1), "Ada"),
  fixed(z.string().max(12), "Ada", ""),
  fixed(z.string().regex(/^[A-Z]{3}$/), "EUR"),
  fixed(
    z.string().refine((text) => !/[<\u0600]/.test(text)),
    "plain",
  ),
  fixed(z.string().startsWith("ORD-"), "ORD-12"),
  fixed(z.email(), "ada@example.com"),
  fixed(z.url({ protocol: /^https$/ }), "https://example.com/a"),
  fixed(z.iso.datetime({ offset: true }), "2026-11-22T10:00:00+01:00"),
  fixed(z.enum(["open", "paid"]), "open"),
  fixed(z.literal("card"), "card"),
  fixed(z.int().min(1).max(9), 4),
  fixed(z.boolean(), true),
  fixed(z.string().nullable(), null, "Ada"),
  fixed(z.union([z.number(), z.string().max(5)]), 4, "four"),
);

/** Zod schemas with a value that each accepts. */
const { object } = fc.letrec<{ part: Example; object: Example }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    leaves,
    tie("object"),
    tie("part").map(({ schema, value }) => ({ schema: z.array(schema), value: [value] })),
    tie("part").map(({ schema, value }) => ({ schema: z.array(schema).min(1).max(20), value: [value, value] })),
    tie("part").map(({ schema, value }) => ({ schema: z.record(z.string(), schema), value: { a: value } })),
    tie("part").map(({ schema, value }) => ({
      schema: z.record(z.string(), schema).refine((all) => "a" in all),
      value: { a: value },
    })),
    tie("object").map(({ schema, value }) => ({
      schema: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("other"), code: z.string().length(4) }),
        z.object({ kind: z.literal("this"), of: schema }),
      ]),
      value: { kind: "this", of: value },
    })),
  ),
  object: fc
    .dictionary(fc.constantFrom("name", "total", "lines", "note"), fc.tuple(tie("part"), fc.boolean()), { maxKeys: 4 })
    .map((members) => ({
      schema: z.object(
        Object.fromEntries(
          Object.entries(members).map(([name, [{ schema }, isOptional]]) => [
            name,
            isOptional ? schema.optional() : schema,
          ]),
        ),
      ),
      value: Object.fromEntries(Object.entries(members).map(([name, [{ value }]]) => [name, value])),
    })),
}));

const checkOf =
  (schema: z.ZodType): CheckValues =>
  (variables) =>
    (schema.safeParse(variables).error?.issues ?? []).map(problemOf);

const preset = (name: string) => presets.find((each) => each.name === name) ?? expect.fail(name);

test("presets respect limits, patterns and refinements that only the application's schema has", async () => {
  await fc.assert(
    fc.asyncProperty(object, fc.constantFrom(...presets), async ({ schema, value }, { apply }) => {
      if (!(schema instanceof z.ZodObject)) expect.fail();
      const check = checkOf(schema);
      const made = await apply(variablesSchemaOf(schema), schema.parse(value), check);
      expect(await check(made)).toEqual([]);
    }),
    { numRuns: isLong ? 300 : 40 },
  );
});

test("a value that can't be stressed only keeps itself unchanged, in each item of a list", async () => {
  const line = z.object({ label: z.string(), unit: z.enum(["kg"]), code: z.string().regex(/^[A-Z]$/) });
  const schema = z.object({ name: z.string(), lines: z.array(line).min(1), notes: z.array(z.string()).max(5) });
  const variables = { name: "Ada", lines: [{ label: "Tea", unit: "kg", code: "T" }], notes: ["One"] };
  const made = async (name: string): Promise<Variables> =>
    preset(name).apply(variablesSchemaOf(schema), variables, checkOf(schema));
  const { name, lines, notes } = await made("Long");
  expect(name).toMatch(/^(?:Ada ){8}/);
  expect(lines).toHaveLength(12);
  expect(Object(lines)[11]).toMatchObject({ label: expect.stringMatching(/^(?:Tea ){8}/), unit: "kg", code: "T" });
  // As many items as the schema allows.
  expect(notes).toEqual(Array.from({ length: 5 }, () => expect.stringMatching(/^(?:One ){8}/)));
  expect(await made("60 items")).toMatchObject({ lines: { length: 60 }, notes: Array(5).fill("One") });
  expect(await made("Empty")).toEqual({ name: "", lines: [{ label: "", unit: "kg", code: "T" }], notes: [] });
});

test("if code rejects a change without a reason, as many changes as possible are kept", async () => {
  const schema = z.object({ name: z.string(), place: z.object({ currency: z.string(), city: z.string() }) });
  const variables = { name: "Ada", place: { currency: "EUR", city: "Bern" } };
  const check: CheckValues = ({ place }) =>
    Object(place).currency === "EUR" ? [] : [{ path: [], message: "variables.ts threw: no currency" }];
  const made = await preset("Empty").apply(variablesSchemaOf(schema), variables, check);
  expect(made).toEqual({ name: "", place: { currency: "EUR", city: "" } });
});

test("existing problems do not prevent other changes", async () => {
  const schema = z.object({ name: z.string(), code: z.string().length(3) });
  const made = await preset("Empty").apply(variablesSchemaOf(schema), { name: "Ada", code: "EU" }, checkOf(schema));
  expect(made).toMatchObject({ name: "" });
});

describe("the starters", () => {
  const { templates } = loadTemplates([path.resolve(import.meta.dirname, "../../../templates")]);
  const cacheFolder = mkdtempSync(path.join(tmpdir(), "preset-limits-"));
  const host = createModuleHost({ cacheFolder });
  const context = { locale: "en-GB", timeZone: "UTC" };
  afterAll(async () => {
    await host.close();
    await removeFolder(cacheFolder);
  });

  // All of them in long runs.
  const few = ["receipt", "sign-in-code", "welcome"];
  const starters = templates.filter(({ name }) => isLong || few.includes(name));
  test.for(starters)("$name is filled with each preset", async (template) => {
    const fixture = template.fixtures[0]?.variables ?? {};
    const { schema = {} } = await readVariablesModule(host, template, context);
    const tried = (variables: Variables) => tryVariables(host, template, variables, context);
    const check: CheckValues = async (variables) => (await tried(variables)).issues.map(problemOf);
    for (const { apply } of presets) expect((await tried(await apply(schema, fixture, check))).issues).toEqual([]);
  });
});

test("Long lengthens a string up to the application's limits, each to its own length", async () => {
  const line = z.object({ label: z.string().max(25), code: z.string().length(3) });
  const schema = z.object({ name: z.string().max(40), city: z.string(), lines: z.array(line).max(2) });
  const variables = { name: "Ada", city: "Bern", lines: [{ label: "Tea", code: "TEA" }] };
  const { name, city, lines } = await preset("Long").apply(variablesSchemaOf(schema), variables, checkOf(schema));
  expect(name).toMatch(/^(?:Ada ){8}.{8}$/);
  expect(city).toMatch(/^(?:Bern ){8}\S{60,}$/);
  const longest = { label: expect.stringMatching(/^(?:Tea ){6}.$/), code: "TEA" };
  expect(lines).toEqual([longest, longest]);
});

test("Empty leaves as little as the application's schema allows", async () => {
  const line = z.object({ label: z.string().min(1), quantity: z.int().min(1) });
  const schema = z.object({
    name: z.string().min(3),
    code: z.string().regex(/^[A-Z]{3}$/),
    plan: z.enum(["free", "paid"]),
    lines: z.array(line).min(2),
    tags: z.array(z.string()).min(1).optional(),
  });
  const lines = ["Tea", "Jam", "Bread"].map((label) => ({ label, quantity: 4 }));
  const empty = async (variables: Variables): Promise<Variables> =>
    preset("Empty").apply(variablesSchemaOf(schema), variables, checkOf(schema));
  const least = { name: "Ada", code: "EUR", plan: "paid" };
  expect(await empty({ name: "Ada Lovelace", code: "EUR", plan: "paid", lines, tags: ["new"] })).toEqual({
    ...least,
    lines: [
      { label: "T", quantity: 4 },
      { label: "J", quantity: 4 },
    ],
  });
  // Values that are too short or not a valid choice become just valid.
  const one = { label: "P", quantity: 1 };
  expect(await empty({ ...least, plan: "gold", lines: [] })).toEqual({ ...least, plan: "free", lines: [one, one] });
});

test("a preset for lists explains that there are no lists", () => {
  const without = variablesSchemaOf(z.object({ name: z.string(), type: z.enum(["array"]) }));
  expect(presets.map(({ obstacle }) => obstacle(without)).filter(Boolean)).toEqual(["No lists here"]);
  expect(preset("60 items").obstacle(variablesSchemaOf(z.object({ lines: z.array(z.string()) })))).toBeUndefined();
});
