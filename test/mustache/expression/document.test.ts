import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CLASSES, CONSTANTS, FUNCTIONS } from "../../../src/mustache/expression/builtins.js";
import { EXPRESSION_VERSION } from "../../../src/mustache/expression/evaluate.js";
import { METHODS, PROPERTIES } from "../../../src/mustache/expression/types.js";

const PAGE = readFileSync(new URL("../../../docs/expressions.md", import.meta.url), "utf8");

/** The names in code between two phrases of the page. */
function namesBetween(start: string, end: string): string[] {
  const [, text = ""] = PAGE.split(start);
  return Array.from((text.split(end)[0] ?? "").matchAll(/`([\w.]+)`/g), ([, name = ""]) => name).toSorted();
}

const ROWS: Readonly<Record<string, string>> = {
  String: "string",
  Number: "number",
  BigInt: "bigint",
  Boolean: "boolean",
  Array: "list",
  Date: "date",
  RegExp: "regular expression",
  Map: "map",
  Set: "set",
  URL: "URL",
  Object: "all",
};

it("names the built-in constants, functions and classes that there are", () => {
  expect(namesBetween("Constants:", "\n\n")).toEqual([...CONSTANTS.keys()].toSorted());
  expect(namesBetween("Functions:", "\n\n")).toEqual(
    [...FUNCTIONS.keys()].filter((name) => !CLASSES.has(name)).toSorted(),
  );
  expect(namesBetween("Classes, with `isNew`:", ". `Array`")).toEqual([...CLASSES.keys()].toSorted());
});

it.each(Object.keys(METHODS).filter((type) => !type.endsWith(" Iterator")))("names the members of %s", (type) => {
  const [, members = ""] = PAGE.split("\n## Members\n");
  const row = members.split("\n").find((line) => line.startsWith(`| ${ROWS[type] ?? `\`${type}\``} `)) ?? "";
  const names = Array.from(row.split("|")[2]?.matchAll(/`(\w+)`/g) ?? [], ([, name]) => name);
  const expected = [METHODS[type], PROPERTIES[type]].join(" ").trim().split(" ");
  expect(new Set(names.filter((name) => name !== "lastIndex"))).toEqual(new Set(expected));
});

it("says its version", () => {
  expect(PAGE).toContain(`This is version ${EXPRESSION_VERSION}.`);
});
