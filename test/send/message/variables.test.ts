import { expect, test } from "vitest";
import { z } from "zod";
import { InvalidVariablesError } from "../../../src/send/errors.js";
import { readVariables } from "../../../src/send/message/variables.js";
import type { RegistryEntry } from "../../../src/project/registry-types.js";
import { BIGINT_SCHEMA, DATE_SCHEMA } from "../../../src/mustache/javascript-values.js";
import { variablesSchemaOf } from "../../../src/project/variables-task.js";
import { check, lines } from "../collect.js";

const context = { locale: "de-DE", timeZone: "Europe/Berlin" };

function entryOf(schema: z.ZodObject, more: Partial<RegistryEntry> = {}): RegistryEntry {
  return {
    hash: "",
    subject: "Hi",
    schema,
    contract: { input: variablesSchemaOf(schema), conditions: [] },
    ...more,
  };
}

function read(entry: RegistryEntry, variables: unknown) {
  const { value, problems } = check((report) =>
    readVariables({ template: "receipt", entry, variables, context }, report),
  );
  return { value: value?.complete, problems: lines(problems) };
}

const order = z.object({
  number: z.string(),
  note: z.string().optional(),
  currency: z.string().default("EUR"),
  items: z.array(z.object({ name: z.string(), price: z.number(), gift: z.boolean().optional() })),
});

test("parses variables by the schema, and adds null for absent ones at every depth", () => {
  expect(read(entryOf(z.object({ order })), { order: { number: "7", items: [{ name: "Tea", price: 4 }] } })).toEqual({
    value: { order: { number: "7", note: null, currency: "EUR", items: [{ name: "Tea", price: 4, gift: null }] } },
    problems: [],
  });
});

test("passes the parsed variables, locale and time zone to derive, and adds its variables", () => {
  const derive = (variables: { total: number }, { locale, timeZone }: typeof context) => ({
    money: `${variables.total} ${locale} ${timeZone}`,
  });
  const entry = entryOf(z.object({ total: z.string().transform(Number) }), { derive });
  expect(read(entry, { total: "4" }).value).toEqual({ total: 4, money: "4 de-DE Europe/Berlin" });
});

test("sends dates as in JSON, and drops what the schema does not name", () => {
  const entry = entryOf(z.object({ at: z.date(), user: z.object({ name: z.string() }) }));
  const user = { name: "Ada", passwordHash: "…" };
  expect(read(entry, { at: new Date(0), user }).value).toEqual({
    at: "1970-01-01T00:00:00.000Z",
    user: { name: "Ada" },
  });
});

test("accepts a Date or a string for a date, whichever the schema takes", () => {
  const at = new Date("2026-11-20T10:00:00.000Z");
  const day = ({ at: date }: { at: unknown }) => ({ isDate: date instanceof Date });
  for (const [schema, isDate] of [
    [z.date(), true],
    [z.coerce.date(), true],
    [z.iso.datetime(), false],
    [z.date().nullable(), true],
  ] as const) {
    const entry = entryOf(
      z.object({ at: schema, list: z.array(z.object({ at: schema })), byName: z.record(z.string(), schema) }),
      { derive: day },
    );
    for (const value of [at, at.toISOString()]) {
      const { value: filled, problems } = read(entry, {
        at: value,
        list: [{ at }, { at: value }],
        byName: { a: value },
      });
      expect(problems).toEqual([]);
      const text = at.toISOString();
      expect(filled).toEqual({ at: text, list: [{ at: text }, { at: text }], byName: { a: text }, isDate });
    }
  }
});

test("refuses an invalid date with the schema's message", () => {
  const entry = entryOf(z.object({ at: z.date(), day: z.iso.datetime(), count: z.number() }));
  expect(read(entry, { at: "tomorrow", day: new Date(Number.NaN), count: "2026-11-20" }).problems).toEqual([
    "variables.at: Invalid input: expected date, received string",
    "variables.day: Invalid input: expected string, received Date",
    "variables.count: Invalid input: expected number, received string",
  ]);
  expect(read(entry, { at: "2026-11-20", day: "2026-11-20T10:00:00Z", count: "x" }).problems).toEqual([
    "variables.count: Invalid input: expected number, received string",
  ]);
});

test("reports every problem with its path", () => {
  const variables = { order: { items: [{ name: "Tea", price: "4" }, { name: "Jam" }] }, extra: 1 };
  expect(read(entryOf(z.object({ order, email: z.email() })), variables)).toEqual({
    value: undefined,
    problems: [
      "variables.extra: is not a variable of the template",
      "variables.order.number: is missing (Invalid input: expected string, received undefined)",
      "variables.order.items[0].price: Invalid input: expected number, received string",
      "variables.order.items[1].price: is missing (Invalid input: expected number, received undefined)",
      "variables.email: is missing (Invalid input: expected string, received undefined)",
    ],
  });
});

test("reports a misspelt name, even if the right one is optional", () => {
  const variables = {
    ordrs: "",
    order: { number: "7", nota: "Leave at the door", items: [{ name: "Tea", price: 4, gfit: true, sku: "T1" }] },
  };
  expect(read(entryOf(z.object({ order, orders: z.string().optional() })), variables).problems).toEqual([
    'variables.ordrs: is not a variable of the template; did you mean "orders"?',
    'variables.order.nota: is not a variable of the template; did you mean "note"?',
    'variables.order.items[0].gfit: is not a variable of the template; did you mean "gift"?',
  ]);
});

test("finds names behind references, in records and in nullable values", () => {
  const category = z.object({
    name: z.string(),
    note: z.string().optional(),
    get parts() {
      return z.array(category).optional();
    },
  });
  const schema = z.object({
    category,
    byCode: z.record(z.string(), z.object({ label: z.string().optional() })),
    user: z.object({ nick: z.string().optional() }).nullable(),
  });
  const variables = {
    category: { name: "a", parts: [{ name: "b", ntoe: "x" }] },
    byCode: { a: { lable: "x" } },
    user: { nikc: "x" },
  };
  expect(read(entryOf(schema), variables).problems.map((line) => line.split(":")[0])).toEqual([
    "variables.category.parts[0].ntoe",
    "variables.byCode.*.lable",
    "variables.user.nikc",
  ]);
});

test("quotes no keys of a record in problems", () => {
  const entry = entryOf(z.object({ shares: z.record(z.email(), z.object({ amount: z.number() })) }));
  expect(read(entry, { shares: { "ada@example.com": { amount: "7" }, eve: { amount: 1 } } }).problems).toEqual([
    "variables.shares.*.amount: Invalid input: expected number, received string",
    "variables.shares.*: Invalid key in record",
  ]);
});

test("accepts any name if the schema does", () => {
  expect(read(entryOf(z.looseObject({ name: z.string() })), { name: "Ada", anything: 1 })).toEqual({
    value: { name: "Ada", anything: 1 },
    problems: [],
  });
  expect(read(entryOf(z.strictObject({ name: z.string() })), { name: "Ada", anything: 1 }).problems).toEqual([
    'variables: Unrecognized key: "anything"',
  ]);
});

test("treats an undefined value as absent", () => {
  expect(read(entryOf(z.object({ name: z.string() })), { name: "Ada", anything: undefined }).value).toEqual({
    name: "Ada",
  });
});

test("refuses what is not an object", () => {
  for (const variables of [undefined, null, "x", 7, []])
    expect(read(entryOf(z.object({})), variables).problems).toEqual(["variables: is not an object"]);
});

test("accepts bigints, and numbers and digits for them, and sends digits", () => {
  const schema = z.object({ count: z.bigint(), any: z.any(), list: z.array(z.bigint()) });
  expect(read(entryOf(schema), { count: 2n ** 64n, any: -7n, list: [1n, 2, "3"] })).toEqual({
    value: { count: "18446744073709551616", any: "-7", list: ["1", "2", "3"] },
    problems: [],
  });
  expect(read(entryOf(schema), { count: 1.5, any: 1, list: [2 ** 53, "x"] }).problems).toEqual([
    "variables.count: Invalid input: expected bigint, received number",
    "variables.list[0]: Invalid input: expected bigint, received number",
    "variables.list[1]: Invalid input: expected bigint, received string",
  ]);
});

test("reads dates and bigints where the type of a component's props has them", () => {
  const properties = {
    at: DATE_SCHEMA,
    count: BIGINT_SCHEMA,
    either: { anyOf: [DATE_SCHEMA, { type: "string" }] },
  } as const;
  const input = { type: "object", properties, required: ["at", "count", "either"] } as const;
  const seen: unknown[] = [];
  const derive = (variables: object) => {
    seen.push(variables);
    return {};
  };
  const entry = { hash: "", subject: "Hi", contract: { input, conditions: [] }, derive };
  const at = new Date("2026-11-20T10:00:00.000Z");
  const text = at.toISOString();
  expect(read(entry, { at, count: 5n, either: at }).value).toEqual({ at: text, count: "5", either: text });
  expect(read(entry, { at: text, count: "5", either: text }).value).toEqual({ at: text, count: "5", either: text });
  expect(seen).toEqual([
    { at, count: 5n, either: at },
    { at, count: 5n, either: text },
  ]);
  expect(read(entry, { at: new Date(Number.NaN), count: "five", either: undefined }).problems).toEqual([
    'variables.at: Invalid input: expected Date or a string such as "2026-03-14T09:30:00Z", received Invalid Date',
    'variables.count: Invalid input: expected bigint or a string such as "1250", received string',
    'variables.either: is missing (Invalid input: expected Date or a string such as "2026-03-14T09:30:00Z" or string, received undefined)',
  ]);
});

test("refuses values that an email would lose", () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  const any = z.any();
  const schema = z.object({ one: any, list: z.array(any), byName: z.record(z.string(), any), loop: any });
  const variables = {
    one: { at: new Date(Number.NaN), price: { toJSON: () => 1 / 0 } },
    list: [Symbol("x"), { run: () => 1 }, Number.NaN],
    byName: { "ada@example.com": new Map() },
    loop,
  };
  expect(read(entryOf(schema), variables).problems).toEqual([
    "variables.one.at: is an invalid Date, which an email can't contain",
    "variables.one.price: is Infinity, which an email can't contain",
    "variables.list[0]: is a symbol, which an email can't contain",
    "variables.list[1].run: is a function, which an email can't contain",
    "variables.list[2]: is NaN, which an email can't contain",
    "variables.byName.*: is a Map, which an email can't contain",
    "variables.loop.self: is an object within itself, which an email can't contain",
  ]);
  const derive = () => ({ total: { text: 0 / 0 } });
  expect(read(entryOf(z.object({}), { derive }), {}).problems).toEqual([
    "variables.total.text: is NaN, which an email can't contain. The template's derive returned it",
  ]);
  const throwing = { toJSON: () => JSON.parse("x") };
  expect(read(entryOf(schema), { ...variables, one: throwing }).problems).toEqual([
    "variables: can't be converted to JSON",
  ]);
});

test("sends instances of classes as JSON", () => {
  class Price {
    readonly cents = 5;
    readonly #secret = 1;
    toString() {
      return String(this.#secret);
    }
  }
  const list = [1, undefined, -0];
  const value = {
    price: new Price(),
    url: new URL("https://example.com/a"),
    list,
    sparse: Array(1),
    absent: undefined,
  };
  expect(read(entryOf(z.object({ value: z.any() })), { value }).value).toEqual({
    value: { price: { cents: 5 }, url: "https://example.com/a", list: [1, null, 0], sparse: [null] },
  });
});

test("refuses variables that contain themselves", () => {
  const category = z.object({
    get parts() {
      return z.array(category);
    },
  });
  const endless: { parts: unknown[] } = { parts: [] };
  endless.parts.push(endless);
  expect(read(entryOf(z.object({ category })), { category: endless }).problems).toEqual([
    "variables.category.parts[0]: is an object within itself, which an email can't contain",
  ]);
});

test.each([
  ["nothing", () => undefined, /derive return something that is not an object/],
  ["a promise", async () => ({ total: "1" }), /derive return a promise/],
])("reports a derive that returns %s", (_, derive: () => unknown, message) => {
  // Its type forbids it, but JavaScript allows it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const entry = { ...entryOf(z.object({ name: z.string() })), derive: derive as RegistryEntry["derive"] & object };
  expect(read(entry, { name: "x" })).toEqual({ value: undefined, problems: [expect.stringMatching(message)] });
});

test("reports what derive leaves out if the template prints it, and sends null otherwise", () => {
  const schema = z.object({ count: z.number() });
  const text = { type: "string" } as const;
  const rows = { type: "array", items: { type: "object", properties: { price: text } } } as const;
  const derived = { type: "object", properties: { total: text, note: text, lines: rows } } as const;
  const printed = ["lines[].price", "total"];
  const contract = { input: variablesSchemaOf(schema), derived, printed, conditions: [] };
  const reading = (derive: () => unknown) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as JavaScript may write it
    read(entryOf(schema, { contract, derive: derive as RegistryEntry["derive"] & object }), { count: 1 });
  const why = "is missing from the result of the template's derive, but the template prints it";
  expect(reading(() => ({ lines: [{ price: "€1" }, { price: null }, {}], total: undefined }))).toEqual({
    value: undefined,
    problems: [`variables.lines[1].price: ${why}`, `variables.lines[2].price: ${why}`, `variables.total: ${why}`],
  });
  expect(reading(() => ({ total: "" }))).toEqual({
    value: { count: 1, total: "", note: null, lines: null },
    problems: [],
  });
});

test("throws an error with the cause for a derive or a schema that throws, and quotes nothing", () => {
  const cause = new TypeError("ada@example.com");
  const throwing = () => {
    throw cause;
  };
  for (const entry of [
    entryOf(z.object({ name: z.string() }), { derive: throwing }),
    entryOf(z.object({ name: z.any().transform(throwing) })),
  ]) {
    expect(() => read(entry, { name: "x" })).toThrow(expect.objectContaining({ code: "invalid_variables", cause }));
    expect(() => read(entry, { name: "x" })).not.toThrow(/ada/);
  }
  expect(() => read(entryOf(z.object({ name: z.string().refine(async () => true) })), { name: "x" })).toThrow(
    InvalidVariablesError,
  );
});

test("changes neither argument", () => {
  const variables = Object.freeze({ name: "Ada", tags: Object.freeze(["a"]) });
  expect(
    read(entryOf(z.object({ name: z.string(), tags: z.array(z.string()), note: z.string().optional() })), variables)
      .value,
  ).toEqual({ name: "Ada", tags: ["a"], note: null });
});
