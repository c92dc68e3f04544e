import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Expression } from "../../../src/mustache/expression/expression.js";
import { BIGINT_SCHEMA, DATE_SCHEMA } from "../../../src/mustache/javascript-values.js";
import type { Condition, Variables, VariablesContract, VariablesSchema } from "../../../src/mustache/variables.js";
import { variationsOf as variationsIn, withLongerLists } from "../../../src/render/react/oracle/variations.js";

const text: VariablesSchema = { type: "string" };

const HOME = { locale: "en-US", timeZone: "UTC" };

const variationsOf = (example: Variables, contract: VariablesContract) => variationsIn(example, contract, HOME);

test("an object always matches one of the kinds in its schema", () => {
  const change: VariablesSchema = {
    anyOf: [
      { type: "object", properties: { type: { const: "upgrade" }, to: text }, required: ["type", "to"] },
      { type: "object", properties: { type: { const: "cancel" }, reason: text }, required: ["type"] },
    ],
  };
  const variations = variationsOf(
    { change: { type: "cancel", reason: "Too dear" }, vip: true },
    {
      input: { type: "object", properties: { change, vip: { type: "boolean" } }, required: ["change", "vip"] },
      conditions: [
        {
          name: "change_type__is_upgrade",
          within: [],
          path: "change.type",
          test: { kind: "equals", value: "upgrade" },
        },
      ],
    },
  );
  const changes = variations.map(({ variables }) => variables["change"]);
  expect(changes.length).toBeGreaterThan(3);
  expect(changes).not.toContainEqual(expect.objectContaining({ type: "upgrade" }));
  expect(changes).toContainEqual({ type: "cancel" });
  expect(variations.map(({ variables }) => variables["vip"])).toContain(false);
});

test("a member with a default is never absent", () => {
  const input: VariablesSchema = {
    type: "object",
    properties: { size: { type: "string", enum: ["s", "m"], default: "m" }, note: text },
  };
  const variations = variationsOf({ size: "s", note: "Hi" }, { input, conditions: [] });
  expect(variations.map(({ variables }) => variables)).toContainEqual({ size: "s" });
  expect(variations.every(({ variables }) => "size" in variables)).toBe(true);
});

test("bigints vary as numbers do", () => {
  const properties = { count: BIGINT_SCHEMA, day: text } as const;
  const input: VariablesSchema = { type: "object", properties, required: ["count", "day"] };
  const example = { count: "5", day: "2026-03-14" };
  const found = variationsOf(example, { input, conditions: [] }).map(({ variables }) => variables);
  for (const count of ["0", "1", "-1234"]) expect(found).toContainEqual({ ...example, count });
});

/** Computed values of these expressions. */
function computing(...expressions: readonly Expression[]): Condition[] {
  return expressions.map((expression, index) => ({
    name: `computed__${index}`,
    within: [],
    path: ".",
    test: { kind: "computed", expression },
  }));
}

const variable = (name: string): Expression => ({ kind: "variable", names: [name] });

/** The rounds in which values vary that something is computed from. */
function roundsOf(example: Variables, properties: Readonly<Record<string, VariablesSchema>>, conditions: Condition[]) {
  const input: VariablesSchema = { type: "object", properties, required: Object.keys(properties) };
  return variationsOf(example, { input, conditions }).filter(({ name }) => name.includes("compute with"));
}

describe("what values are computed from varies", () => {
  const number: VariablesSchema = { type: "number" };

  test("by its look: small, negative, fractional and large numbers, strings, booleans and lists", () => {
    const properties = {
      cents: number,
      name: text,
      vip: { type: "boolean" },
      tags: { type: "array", items: text },
    } as const;
    const example = { cents: 1999, name: "Ada", vip: true, tags: ["a", "b"] };
    const rounds = roundsOf(example, properties, computing(...Object.keys(properties).map(variable)));
    const seen = (name: keyof typeof example) => rounds.map(({ variables }) => variables[name]);
    expect(rounds).toHaveLength(13);
    expect(seen("cents")).toEqual(expect.arrayContaining([1999, 0, 1, 2, -1, 0.5, -1234.56, 1_234_567.891, 1e21]));
    expect(seen("name")).toEqual(expect.arrayContaining(["Ada", "", "  Ada ", "ADA", "ada"]));
    expect(seen("vip")).toEqual(expect.arrayContaining([true, false]));
    expect(new Set(seen("tags").map((tags) => Array.isArray(tags) && tags.length))).toEqual(new Set([0, 1, 2, 3, 5]));
  });

  test("and nothing else does", () => {
    const rounds = roundsOf(
      { cents: 1, other: 7, note: "Hi" },
      { cents: number, other: number, note: text },
      computing(variable("cents")),
    );
    for (const { variables } of rounds) expect(variables).toMatchObject({ other: 7, note: "Hi" });
  });

  test("one of several strings stays one of them, although a character of it is read", () => {
    const status: VariablesSchema = { type: "string", enum: ["draft", "paid"] };
    const callee: Expression = { kind: "member", of: variable("status"), name: "slice" };
    const cut: Expression = { kind: "call", callee, args: [{ kind: "value", value: 1 }] };
    const rounds = roundsOf({ status: "paid" }, { status }, computing(cut));
    expect(new Set(rounds.map(({ variables }) => variables["status"]))).toEqual(new Set(["draft", "paid"]));
  });

  test("codes that `Intl` knows vary to such codes", () => {
    const rounds = roundsOf(
      { currency: "EUR", zone: "Europe/Berlin" },
      { currency: text, zone: text },
      computing(variable("currency"), variable("zone")),
    );
    for (const { variables } of rounds) {
      const { currency, zone } = variables as Record<string, string>;
      expect(() => new Intl.DateTimeFormat("en", { timeZone: zone })).not.toThrow();
      expect(() => new Intl.NumberFormat("en", { style: "currency", currency })).not.toThrow();
    }
  });

  test("values on both sides of what is compared with are tried, also through arithmetic and computed values", () => {
    const binary = (operator: string, left: Expression, right: Expression): Expression => ({
      kind: "binary",
      operator,
      left,
      right,
    });
    const value = (literal: number): Expression => ({ kind: "value", value: literal });
    const sum = binary("+", binary("/", variable("cents"), value(100)), value(3));
    const conditions: Condition[] = [
      ...computing(sum, binary(">=", binary("-", value(10), variable("count")), value(4))),
      {
        name: "sum__is_above_50",
        within: [],
        path: "computed__0",
        test: { kind: "compares", operator: ">", value: 50 },
      },
    ];
    const rounds = roundsOf({ cents: 1, count: 1 }, { cents: number, count: number }, conditions);
    expect(rounds.map(({ variables }) => variables["cents"])).toEqual(expect.arrayContaining([4700, 4701, 4699]));
    expect(rounds.map(({ variables }) => variables["count"])).toEqual(expect.arrayContaining([6, 7, 5]));
  });

  test("dates are around midnight and where clocks change, in four places", () => {
    const example = { at: "2026-03-14T09:30:00.000Z", day: "2026-03-14", time: 1_773_480_600_000 };
    const rounds = roundsOf(
      example,
      { at: DATE_SCHEMA, day: text, time: number },
      computing(...Object.keys(example).map(variable)),
    );
    const zones = rounds.map(({ place = HOME }) => place.timeZone);
    expect([...new Set(zones)]).toEqual(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]);
    const inBerlin = rounds.filter(({ place }) => place?.timeZone === "Europe/Berlin");
    const midnights = ["2023-12-31T22:59:59.999Z", "2024-02-28T23:00:00.000Z"];
    const changes = ["2025-03-30T01:30:00.000Z", "2025-10-26T00:30:00.000Z"];
    for (const { variables } of inBerlin) expect([example.at, ...midnights, ...changes]).toContain(variables["at"]);
    expect(new Set(inBerlin.map(({ variables }) => variables["at"])).size).toBeGreaterThan(2);
    for (const { variables } of rounds) expect(variables["day"]).toMatch(/^\d{4}-\d\d-\d\d$/);
    const times = [example.at, ...midnights, ...changes].map((time) => Date.parse(time));
    for (const { variables } of inBerlin) expect(times).toContain(variables["time"]);
  });

  test("no two values change in step", () => {
    const names = Array.from({ length: 12 }, (_, index) => `flag${index}`);
    const flags = Object.fromEntries(names.map((name) => [name, true]));
    const properties = Object.fromEntries(names.map((name): [string, VariablesSchema] => [name, { type: "boolean" }]));
    const rounds = roundsOf(flags, properties, computing(...names.map(variable)));
    for (const [index, one] of names.entries()) {
      for (const other of names.slice(index + 1)) {
        const pairs = new Set(rounds.map(({ variables }) => JSON.stringify([variables[one], variables[other]])));
        expect(pairs.size).toBeGreaterThan(2);
      }
    }
  });
});

test("lists get longer if one of them has a single item", () => {
  const contract = { input: {}, conditions: [] };
  expect(
    withLongerLists({ a: ["x"], b: [{ c: [1, 2] }, { c: [] }] }, contract).map(({ variables }) => variables),
  ).toEqual([{ a: ["x", "x"], b: [{ c: [1, 2, 1] }, { c: [] }, { c: [1, 2, 1] }] }]);
  expect(withLongerLists({ a: ["x", "y"], b: [], c: "z" }, contract)).toEqual([]);
});

test("any two values are changed together, and each of them without the other", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 24 }), (count) => {
      const names = Array.from({ length: count }, (_, index) => `value${index}`);
      const example: Variables = {
        lines: [{ amount: 7, texts: ["a"] }, { amount: 8 }],
        ...Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? true : 5])),
      };
      const mixes = variationsOf(example, { input: {}, conditions: [] })
        .filter(({ name }) => name.includes("some of its values changed"))
        .map(({ variables }) => {
          const { lines, ...others } = variables;
          const differs = { ...others, lines: Array.isArray(lines) && lines.length } as Variables;
          return (name: string) => differs[name] !== { ...example, lines: 2 }[name];
        });
      for (const one of ["lines", ...names]) {
        for (const other of names.filter((name) => name !== one)) {
          const seen = new Set(mixes.map((isOtherwise) => `${isOtherwise(one)} ${isOtherwise(other)}`));
          expect([...seen]).toEqual(expect.arrayContaining(["true true", "true false", "false true"]));
        }
      }
      expect(mixes.length).toBeLessThanOrEqual(9);
    }),
  );
});

test("strings that can't be changed need no additional variations", () => {
  const texts = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`text${index}`, "x"]));
  const mixesOf = (example: Variables) =>
    variationsOf(example, { input: {}, conditions: [] }).filter(({ name }) =>
      name.includes("some of its values changed"),
    );
  expect(mixesOf({ ...texts, isNew: true, count: 1 })).toHaveLength(mixesOf({ isNew: true, count: 1 }).length);
});

test("a value of several types has each of them", () => {
  const to: VariablesSchema = { anyOf: [text, { type: "array", items: text }, { type: "null" }, { type: "boolean" }] };
  const cells: VariablesSchema = { type: "array", items: { anyOf: [{ type: "number" }, { const: "none" }] } };
  const input: VariablesSchema = { type: "object", properties: { to, cells }, required: ["to", "cells"] };
  const found = variationsOf({ to: "Ann", cells: [3] }, { input, conditions: [] }).map(({ variables }) => variables);
  expect(found).toContainEqual({ to: ["to 1", "to 2"], cells: ["none"] });
  expect(found).toContainEqual({ to: true, cells: [3] });
});
