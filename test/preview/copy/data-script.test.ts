import { createContext, runInContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { copyPage } from "../../../src/preview/write-copy.js";
import { dataScript } from "../../../src/preview/write-copy.js";

const context = createContext({});

function run(...scripts: string[]): Map<string, string> {
  runInContext(["delete globalThis.lettershopCopy;", ...scripts].join("\n"), context);
  return runInContext("lettershopCopy", context);
}

describe("a data script", () => {
  it("returns any JSON unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.jsonValue({ stringUnit: "binary" }), (name, value) => {
        const text = run(dataScript(name, value)).get(name) ?? "";
        expect(text).toBe(JSON.stringify(value));
      }),
    );
  });

  it("contains nothing that ends a script or a line, and no prototype", () => {
    const hostile = { text: "</script><script>alert(1)</script><!--\u2028\u2029", ["__proto__"]: { isOwn: true } };
    const script = dataScript("hostile", hostile);
    expect(script).not.toMatch(/[<>\u2028\u2029]/);
    const value = JSON.parse(run(script).get("hostile") ?? "");
    expect(value.text).toBe(hostile.text);
    expect(Object.keys(value)).toContain("__proto__");
    expect(value.isOwn).toBeUndefined();
  });

  it("adds to the data of other scripts", () => {
    expect([...run(dataScript("one", 1), dataScript("two", 2)).keys()]).toEqual(["one", "two"]);
  });
});

describe("the copy's page", () => {
  it("has a policy and the project's data before its own scripts", () => {
    const page = copyPage(
      '<html><head><meta charset="utf-8" /><script defer src="./app.js"></script></head><body></body></html>',
    );
    expect(page.indexOf("Content-Security-Policy")).toBeLessThan(page.indexOf("<script"));
    expect(page.indexOf("./data/project.js")).toBeLessThan(page.indexOf("./app.js"));
    expect(page).not.toMatch(/script-src[^;]*unsafe/);
  });
});
