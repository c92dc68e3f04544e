import path from "node:path";
import { describe, expect, test } from "vitest";
import { BIGINT_SCHEMA, DATE_SCHEMA } from "../../src/mustache/javascript-values.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import { readVariablesModule, type VariablesModule } from "../../src/project/variables-module.js";
import { useProjects } from "../render/project.js";

const projects = useProjects();

/** Reads the variables of one template, written with zod's `z` in scope. */
async function read(source: string, fixtures: Record<string, unknown> = {}, files: Record<string, string> = {}) {
  const folder = await projects.write({
    "templates/a/a.html": "<p/>",
    "templates/a/variables.ts": `import { z } from "zod";\n${source}`,
    ...Object.fromEntries(
      Object.entries(fixtures).map(([name, value]) => [
        `templates/a/fixtures/${name}.json`,
        JSON.stringify(value, undefined, 2),
      ]),
    ),
    ...files,
  });
  const { templates, diagnostics } = loadTemplates([path.join(folder, "templates")]);
  const [template] = templates;
  if (template === undefined) throw new Error(JSON.stringify(diagnostics));
  const { host } = projects.context();
  return { folder, ...(await readVariablesModule(host, template, { locale: "de-CH", timeZone: "Europe/Zurich" })) };
}

/** The problems as `rule line:column message`, with the hint if there is one. */
function findings({ diagnostics }: VariablesModule): string[] {
  return diagnostics.map(({ rule, at, message, hint }) => {
    const place = at?.line === undefined ? "" : ` ${at.line}:${at.column}`;
    return `${rule}${place} ${message}${hint === undefined ? "" : ` [${hint}]`}`;
  });
}

describe("the schema", () => {
  test("is what the application passes, without what tags don't need", async () => {
    const { schema, diagnostics } = await read(`
      const Line = z.object({ name: z.string().min(1).describe("As on the label."), quantity: z.int().positive() });
      export default z.object({
        name: z.string().optional(),
        currency: z.enum(["EUR", "CHF"]).default("EUR"),
        paidAt: z.date(),
        due: z.coerce.date().optional(),
        count: z.bigint().optional(),
        maybe: z.string().or(z.undefined()),
        lines: z.array(Line).nonempty(),
        note: z.string().nullish(),
        amount: z.union([z.string(), z.number()]),
        email: z.email(),
        trimmed: z.string().transform((text) => text.length),
        pattern: z.string(),
        anything: z.custom(),
        payment: z.discriminatedUnion("kind", [z.object({ kind: z.literal("card") }), z.object({ kind: z.literal("bill"), at: z.date() })]),
        extra: z.record(z.string(), z.number()),
      }).describe("A receipt.");`);
    expect(diagnostics).toEqual([]);
    expect(schema).toEqual({
      type: "object",
      description: "A receipt.",
      properties: {
        name: { type: "string" },
        currency: { type: "string", enum: ["EUR", "CHF"], default: "EUR" },
        paidAt: DATE_SCHEMA,
        due: DATE_SCHEMA,
        count: BIGINT_SCHEMA,
        maybe: { type: "string" },
        lines: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: { type: "string", description: "As on the label." },
              quantity: { type: "integer" },
            },
            required: ["name", "quantity"],
          },
        },
        note: { anyOf: [{ type: "string" }, { type: "null" }] },
        amount: { anyOf: [{ type: "string" }, { type: "number" }] },
        email: { type: "string", format: "email" },
        trimmed: { type: "string" },
        pattern: { type: "string" },
        anything: {},
        payment: {
          oneOf: [
            { type: "object", properties: { kind: { type: "string", const: "card" } }, required: ["kind"] },
            {
              type: "object",
              properties: { kind: { type: "string", const: "bill" }, at: DATE_SCHEMA },
              required: ["kind", "at"],
            },
          ],
        },
        extra: { type: "object", additionalProperties: { type: "number" } },
      },
      required: ["paidAt", "maybe", "lines", "amount", "email", "trimmed", "pattern", "anything", "payment", "extra"],
    });
  });

  test("has an output type if that differs", async () => {
    const { schema, output } = await read(
      `export default z.object({ paid: z.stringbool(), at: z.date(), name: z.string().default("you") });`,
    );
    expect(schema?.properties?.["paid"]).toEqual({ type: "string" });
    expect(output?.properties?.["paid"]).toEqual({ type: "boolean" });
    expect(output?.properties?.["at"]).toEqual(DATE_SCHEMA);
    expect(output?.required).toEqual(["paid", "at", "name"]);
  });

  test("may contain itself", async () => {
    const { schema } = await read(`
      const Comment = z.object({ text: z.string(), get replies() { return z.array(Comment); } });
      export default z.object({ comments: z.array(Comment) });`);
    expect(JSON.stringify(schema)).toContain(`"$ref":"#/$defs/`);
  });

  test("may come from zod/mini, and from one of the project's own modules", async () => {
    const { schema, sources, folder } = await read(
      `export { default } from "../../src/schema";`,
      {},
      { "src/schema.ts": `import * as z from "zod/mini"; export default z.object({ name: z.string() });` },
    );
    expect(schema?.properties).toEqual({ name: { type: "string" } });
    expect(sources).toEqual([path.join(folder, "src/schema.ts"), path.join(folder, "templates/a/variables.ts")]);
  });

  test.each([
    ["", "variables-schema variables.ts has no default export."],
    [
      "export default { name: z.string() };",
      "variables-schema The default export of variables.ts is not a zod object schema.",
    ],
    ["export default z.string();", "variables-schema The default export of variables.ts is not a zod object schema."],
    [
      "export default z.object({}).transform((v) => v);",
      "variables-schema The default export of variables.ts is not a zod object schema.",
    ],
    ["export default { _def: {}, parse() {} };", "variables-schema variables.ts uses zod 3."],
    [
      "export default z.object({}); export const derive = 1;",
      "variables-schema derive is exported but is not a function.",
    ],
    ["export default z.object({", "variables-module 2:26 "],
    [
      `import { x } from "nowhere"; export default x;`,
      `variables-module 2:1 The package "nowhere" is not installed. [Run: npm install nowhere]`,
    ],
    [
      "export default z.object({ a: z.strnig() });",
      "variables-module 2:32 TypeError: z.strnig is not a function [Did you mean z.string?]",
    ],
    [
      "export default z.object({ a: z.string().max(3).optionl() });",
      "TypeError: z.string(...).max(...).optionl is not a function [Did you mean optional?]",
    ],
    ["export default z.object({ a: z.string().mni(1) });", "mni is not a function [Did you mean min?]"],
    ["export default z.object({ a: z.whatever() });", "TypeError: z.whatever is not a function"],
  ])("is rejected: %s", async (source, expected) => {
    const module = await read(source, { default: {} });
    expect(findings(module)).toEqual([expect.stringContaining(expected)]);
    expect(module).toMatchObject({ fixtures: [], diagnostics: [{ severity: "error", template: "a" }] });
    expect(module.sources).toContain(path.join(module.folder, "templates/a/variables.ts"));
  });
});

const aDate = 'expected a date as a string, such as "2026-03-14T09:30:00Z"';

describe("fixtures", () => {
  test("have strings for dates and bigints, also in unions, which their schema tells apart", async () => {
    const { fixtures, diagnostics } = await read(
      `export default z.object({
        from: z.union([z.object({ at: z.date() }), z.object({ on: z.string(), at: z.null() })]),
        any: z.array(z.union([z.string(), z.date()])), size: z.union([z.number(), z.bigint()]), count: z.bigint(),
        starts: z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() }),
      });`,
      {
        one: { from: { at: "2026-03-14" }, any: ["2026-03-14"], size: 5, count: "-12", starts: "2026-03-14T00:00:00Z" },
        other: {
          from: { on: "x", at: null },
          any: [],
          size: "9007199254740993",
          count: 7,
          starts: "2026-03-14T00:00:00Z",
        },
      },
    );
    const day = new Date("2026-03-14");
    expect(diagnostics).toEqual([]);
    expect(fixtures.map(({ parsed }) => parsed)).toEqual([
      { from: { at: day }, any: ["2026-03-14"], size: 5, count: -12n, starts: day },
      { from: { on: "x", at: null }, any: [], size: 9007199254740993n, count: 7n, starts: day },
    ]);
  });

  test("are kept as they are, and as the schema parses them", async () => {
    const { fixtures, diagnostics } = await read(
      `export default z.object({ name: z.string().trim().default("you"), at: z.date(), due: z.array(z.object({ on: z.date().nullable() })) });`,
      { minimal: { at: "2026-03-14T09:05:00Z", due: [{ on: "2026-04-01" }, { on: null }] } },
    );
    expect(diagnostics).toEqual([]);
    expect(fixtures).toEqual([
      {
        name: "minimal",
        input: { at: "2026-03-14T09:05:00Z", due: [{ on: "2026-04-01" }, { on: null }] },
        parsed: {
          name: "you",
          at: new Date("2026-03-14T09:05:00.000Z"),
          due: [{ on: new Date("2026-04-01T00:00:00.000Z") }, { on: null }],
        },
      },
    ]);
  });

  test("that don't match are reported with their position, the others are kept", async () => {
    const module = await read(
      `export default z.object({ name: z.string(), at: z.date().optional(), lines: z.array(z.object({ price: z.number(), of: z.strictObject({ x: z.number() }).optional() })) });`,
      {
        bad: { at: "soon", lines: [{ price: 1 }, { price: "2", of: { x: 1, y: 2 } }], nmae: "Ada", more: 1 },
        good: { name: "Ada", lines: [] },
      },
    );
    expect(findings(module)).toEqual([
      `fixture-schema 1:1 name: expected a string, found nothing.`,
      `fixture-schema 2:9 at: expected a date as a string, such as "2026-03-14T09:30:00Z", found "soon".`,
      `fixture-schema 8:16 lines[1].price: expected a number, found "2".`,
      `fixture-schema 11:14 lines[1].of.y: not a variable of the template.`,
      `fixture-schema 15:3 nmae: not a variable of the template (did you mean "name"?).`,
      `fixture-schema 16:3 more: not a variable of the template.`,
    ]);
    expect(module.diagnostics[0]?.at?.file).toBe(path.join(module.folder, "templates/a/fixtures/bad.json"));
    expect(module.fixtures.map(({ name }) => name)).toEqual(["good"]);
  });

  test.each([
    ["z.int()", "1.5", "expected a whole number, found 1.5"],
    ["z.boolean()", '"yes"', 'expected true or false, found "yes"'],
    ["z.array(z.string())", "{}", "expected a list, found an object"],
    ["z.object({ a: z.string() })", "null", "expected an object, found null"],
    ["z.date()", '"2026-03-14T09:30"', `${aDate}, found "2026-03-14T09:30"`],
    ["z.date()", '"2026-02-30"', `${aDate}, found "2026-02-30"`],
    ["z.bigint()", "1.5", 'expected a whole number as a string, such as "1250", found 1.5'],
    ["z.union([z.date(), z.boolean()])", "1", `${aDate} or true or false, found 1`],
    ["z.email()", '"ada"', 'expected an email address, found "ada"'],
    ["z.url()", '"shop"', 'expected a URL, such as https://example.com, found "shop"'],
    ["z.iso.datetime()", '"2026"', 'expected a date and time, such as "2026-03-14T09:30:00Z", found "2026"'],
    ["z.string().regex(/^A/)", '"B"', 'expected a string that matches /^A/, found "B"'],
    ["z.array(z.string()).min(1)", "[]", "expected a list of at least 1 item, found an empty list"],
    ["z.array(z.string()).max(1)", '["a", "b"]', "expected a list of at most 1 item, found a list of 2"],
    ["z.string().min(3)", '"B"', 'expected a string of at least 3 characters, found "B"'],
    ["z.enum(['post', 'courier'])", '"pots"', 'expected "post" or "courier", found "pots" (did you mean "post"?)'],
    ["z.string().max(3, 'keep it short')", '"abcd"', 'keep it short, found "abcd"'],
    ["z.string().refine((v) => v !== 'x', 'not x')", '"x"', 'not x, found "x"'],
    ["z.union([z.string(), z.number()])", "[]", "expected a string or a number, found an empty list"],
    ["z.string().nullable()", "5", "expected a string, found 5"],
    ["z.date().nullish()", '"soon"', 'expected a date as a string, such as "2026-03-14T09:30:00Z", found "soon"'],
    ["z.tuple([z.string()])", '"x"', 'expected a list, found "x"'],
    ["z.literal([1n, 2])", "3", "expected 1n or 2, found 3"],
    ["z.number()", `"${"x".repeat(60)}"`, `expected a number, found "${"x".repeat(39)}…`],
  ])("%s rejects %s", async (schema, value, message) => {
    const module = await read(`export default z.object({ value: ${schema} });`, {
      default: { value: JSON.parse(value) },
    });
    expect(findings(module)).toEqual([`fixture-schema 2:12 value: ${message}.`]);
  });

  test("of a union are compared with the branch that they are meant for", async () => {
    const module = await read(
      `export default z.object({
        payment: z.discriminatedUnion("kind", [z.object({ kind: z.literal("card"), last4: z.string() }), z.object({ kind: z.literal("cash") })]),
        who: z.union([z.string(), z.object({ name: z.string() })]),
      });`,
      { default: { payment: { kind: "card", last4: 4242 }, who: { name: 1 } } },
    );
    expect(findings(module)).toEqual([
      "fixture-schema 4:14 payment.last4: expected a string, found 4242.",
      "fixture-schema 7:13 who.name: expected a string, found 1.",
    ]);
  });

  test("with a name that the schema drops are rejected if it looks misspelt, and otherwise warned about", async () => {
    const module = await read(
      `export default z.object({ order: z.object({ gift: z.string().optional(), of: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) }) });`,
      { default: { order: { gfit: "x", of: { b: "y", c: 1 }, reference: 7 } } },
    );
    expect(module.diagnostics.map(({ severity }) => severity)).toEqual(["error", "warning", "warning"]);
    expect(findings(module)).toEqual([
      'fixture-schema 3:5 order.gfit: not a variable of the template (did you mean "gift"?).',
      "fixture-schema 6:7 order.of.c: not a variable of the template.",
      "fixture-schema 8:5 order.reference: not a variable of the template.",
    ]);
  });

  test("that a transform converts to something that isn't JSON are rejected", async () => {
    const module = await read(
      `export default z.object({ tags: z.array(z.string()).transform((tags) => ({ all: new Set(tags) })) });`,
      { default: { tags: ["a"] } },
    );
    expect(findings(module)).toEqual([
      expect.stringContaining("The schema turns tags.all into a Set, which is not JSON"),
    ]);
  });

  test("may have more members if the schema allows it", async () => {
    const { diagnostics } = await read(`export default z.looseObject({ name: z.string() });`, {
      default: { name: "Ada", more: 1 },
    });
    expect(diagnostics).toEqual([]);
  });

  test("a schema that can't validate synchronously, or throws, is reported", async () => {
    const check = `export default z.object({ a: z.string().refine((a) => { if (a === "boom") throw new Error("in refine"); return a === "x" || Promise.resolve(true); }) });`;
    const module = await read(check, { one: { a: "boom" }, two: { a: "wait" } });
    expect(findings(module)).toEqual([
      expect.stringMatching(/^variables-derive 2:\d+ With the fixture "one": in refine$/),
      expect.stringMatching(/^variables-derive With the fixture "two": .*(?:parseAsync|Promise)/),
    ]);
  });
});

describe("derive", () => {
  const schema = `export default z.object({ amount: z.number(), at: z.date().optional() });`;
  const one = { default: { amount: 1234.5, at: "2026-03-14T23:30:00Z" } };

  test("receives the schema's output, the language and the time zone", async () => {
    const module = await read(
      `${schema}
      export function derive({ amount, at }, { locale, timeZone }) {
        return {
          double: amount * 2,
          on: at.toLocaleDateString(locale, { timeZone, weekday: "long" }),
          absent: undefined,
          isDate: at instanceof Date && new Date(2020, 1, 1).getFullYear() === 2020,
        };
      }`,
      one,
    );
    expect(findings(module)).toEqual([]);
    expect(module.hasDerive).toBe(true);
    expect(module.fixtures[0]?.derived).toEqual({ double: 2469, on: "Sonntag", isDate: true });
  });

  test("is absent for a template without one", async () => {
    const { hasDerive, fixtures } = await read(schema, one);
    expect(hasDerive).toBe(false);
    expect(fixtures[0]).not.toHaveProperty("derived");
  });

  test.each([
    ["async () => ({})", "derive returns a promise."],
    ["() => [1]", "derive does not return an object."],
    ["() => undefined", "derive does not return an object."],
    ["() => ({ a: { b: [0 / 0] } })", "derive returns NaN as a.b[0], which JSON does not have."],
    ["() => ({ a: 1 / 0 })", "derive returns Infinity as a, which JSON does not have."],
    ["({ at }) => ({ at })", "derive returns a Date as at, which JSON does not have."],
    ["() => ({ f: () => 1 })", "derive returns a function as f, which JSON does not have."],
    ["() => ({ n: 1n })", "derive returns a bigint as n, which JSON does not have."],
    ["() => ({ l: ['a', undefined] })", "derive returns undefined as l[1], which JSON does not have."],
    ["() => ({ m: new Map() })", "derive returns a Map as m, which JSON does not have."],
    [
      "() => { const a = {}; a.b = { a }; return a; }",
      "derive returns an object within itself as b.a, which JSON does not have.",
    ],
    [
      "() => ({ year: new Date().getUTCFullYear() })",
      `derive returns a different "year" when it is called again with the same variables.`,
    ],
    [
      "() => ({ now: Date.now() })",
      `derive returns a different "now" when it is called again with the same variables.`,
    ],
    [
      "() => ({ id: Math.random() })",
      `derive returns a different "id" when it is called again with the same variables.`,
    ],
    [
      "(v) => { n += 1; return n > 1 ? { n } : {}; }; let n = 0",
      `derive returns a different "n" when it is called again with the same variables.`,
    ],
  ])("%s is rejected", async (source, message) => {
    const module = await read(`${schema}\nexport const derive = ${source};`, one);
    const [found, ...others] = findings(module);
    expect(found?.replace(/ \d+:\d+/, "")).toContain(`variables-derive With the fixture "default": ${message} [`);
    expect(others).toEqual([]);
    expect(module.fixtures).toEqual([]);
    expect(module.schema).toBeDefined();
  });

  test("a result that changes between runs is reported once, where the time is read", async () => {
    const module = await read(`${schema}\nexport const derive = () => ({\n  now: Date.now(),\n});`, {
      a: one.default,
      b: one.default,
    });
    expect(findings(module)).toEqual([expect.stringContaining('variables-derive 4:13 With the fixture "a"')]);
  });

  test("may change its arguments", async () => {
    const module = await read(
      `${schema}\nexport function derive(v) { v.amount += 1; return { more: v.amount }; }`,
      one,
    );
    expect(findings(module)).toEqual([]);
    expect(module.fixtures[0]).toMatchObject({ parsed: { amount: 1234.5 }, derived: { more: 1235.5 } });
  });

  test("that throws is reported with its position and the fixture", async () => {
    const module = await read(
      `${schema}\nexport function derive(variables: { at: Date }) {\n  return { on: variables.at.toISOString() };\n}`,
      {
        default: { amount: 1 },
        other: one.default,
      },
    );
    expect(findings(module)).toEqual([
      `variables-derive 4:29 With the fixture "default": TypeError: Cannot read properties of undefined (reading 'toISOString')`,
    ]);
    expect(module.fixtures.map(({ name }) => name)).toEqual(["other"]);
  });
});
