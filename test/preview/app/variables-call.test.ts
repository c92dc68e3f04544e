import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sendCall } from "../../../preview/variables/json/read.js";
import { freeName } from "../../../preview/variables/input.js";
import { asFixtureName, fixtureNameProblem } from "../../../src/preview/fixture-name.js";

/** The variables that a call passes. */
function passed(call: string): unknown {
  const mailer = { send: (...args: unknown[]): unknown => args };
  // The copied text is code.
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call
  return new Function("mailer", `return ${call.replace(/^await /, "")}`)(mailer);
}

test("the copied call passes exactly the same variables", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (variables) => {
      const json: unknown = JSON.parse(JSON.stringify(variables));
      expect(passed(sendCall("receipt", Object(json)))).toEqual(["receipt", json, { to: "ada@example.com" }]);
    }),
  );
});

test("it is formatted as a developer would write it", () => {
  const variables = {
    name: "Ada",
    "first-name": null,
    lines: [
      { label: "Tea", price: 4 },
      { label: "A cake with a very long name, so that the line is broken", price: 12 },
    ],
  };
  expect(sendCall("receipt", variables)).toMatchInlineSnapshot(`
    "await mailer.send("receipt", {
      name: "Ada",
      "first-name": null,
      lines: [
        { label: "Tea", price: 4 },
        {
          label: "A cake with a very long name, so that the line is broken",
          price: 12,
        },
      ],
    }, { to: "ada@example.com" });"
  `);
});

test("a fixture name is one that every system can store, and suggested names always are", () => {
  for (const name of [
    "",
    "Default",
    "../x",
    "a/b",
    "a\\b",
    "a.b",
    "con",
    "com1",
    "-a",
    "a b",
    "ä",
    "x".repeat(101),
    "a\0",
  ])
    expect(fixtureNameProblem(name), name).toMatch(/\.$/);
  for (const name of ["default", "long-names", "2", "a_b"]) expect(fixtureNameProblem(name), name).toBeUndefined();
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "Z", "9", "-", "_", " ", ".", "é", "ß", "/", "\\", "日", "\0") }),
      (title) => {
        const name = asFixtureName(title);
        if (name !== "" && !/^(?:con|prn|aux|nul|com\d|lpt\d)$/.test(name))
          expect(fixtureNameProblem(name)).toBeUndefined();
      },
    ),
  );
});

test("a copy gets an unused name", () => {
  expect(freeName("default", ["default", "default-2"])).toBe("default-3");
  expect(freeName("Long names", [])).toBe("long-names-2");
  expect(freeName(undefined, [])).toBe("default");
});
