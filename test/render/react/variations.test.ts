import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BIGINT_SCHEMA, DATE_SCHEMA } from "../../../src/mustache/javascript-values.js";
import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import { variationsOf, withLongerLists } from "../../../src/render/react/oracle/variations.js";

const text: VariablesSchema = { type: "string" };

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

test("dates vary around midnight and where clocks change, and bigints as numbers do", () => {
  const properties = { at: { anyOf: [DATE_SCHEMA, { type: "null" }] }, count: BIGINT_SCHEMA, day: text } as const;
  const input: VariablesSchema = { type: "object", properties, required: ["at", "count", "day"] };
  const example = { at: "2026-03-14T09:30:00.000Z", count: "5", day: "2026-03-14" };
  const found = variationsOf(example, { input, conditions: [] }).map(({ variables }) => variables);
  const ats = ["2024-03-01T00:00:00.000Z", "2023-12-31T23:59:59.999Z", "2025-10-26T00:30:00.000Z"];
  for (const at of ats) expect(found).toContainEqual({ ...example, at });
  for (const count of ["0", "1", "-1234"]) expect(found).toContainEqual({ ...example, count });
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
