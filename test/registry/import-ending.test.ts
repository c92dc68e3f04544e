import path from "node:path";
import { expect, test } from "vitest";
import { readImportEnding } from "../../src/registry/import-ending.js";
import { makeFolder, write } from "./templates.js";

async function endingOf(
  files: Readonly<Record<string, object | string>>,
  file = "src/templates.gen.ts",
): Promise<string> {
  const folder = await makeFolder();
  const texts = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === "string" ? content : JSON.stringify(content),
  ]);
  await write(folder, Object.fromEntries(texts));
  return readImportEnding(path.join(folder, file));
}

const options = (compilerOptions: object) => ({ "tsconfig.json": { compilerOptions } });

test.each([
  [{ module: "NodeNext" }, ".js"],
  [{ module: "node16" }, ".js"],
  [{ module: "ESNext", moduleResolution: "Node18" }, ".js"],
  [{ module: "ESNext", moduleResolution: "Bundler" }, ""],
  [{ module: "Preserve" }, ""],
  [{ module: "CommonJS" }, ""],
  [{ module: "CommonJS", moduleResolution: "node" }, ""],
  [{ module: "NodeNext", allowImportingTsExtensions: true, noEmit: true }, ".ts"],
  [{ module: "NodeNext", rewriteRelativeImportExtensions: true }, ".ts"],
  [{}, ""],
])("with %j imports end with %j", async (compilerOptions, ending) => {
  expect(await endingOf(options(compilerOptions))).toBe(ending);
});

test("without a tsconfig.json, imports are as in Node", async () => {
  expect(await endingOf({})).toBe(".js");
});

test("a registry with a module-specific extension is imported with that extension", async () => {
  expect(await endingOf(options({ module: "NodeNext" }), "src/templates.gen.mts")).toBe(".mjs");
  expect(await endingOf(options({ module: "CommonJS" }), "src/templates.gen.cts")).toBe(".cjs");
});

test("the nearest file counts, including what it extends, as TypeScript reads it", async () => {
  const files = {
    "tsconfig.json": { compilerOptions: { module: "CommonJS" } },
    "src/tsconfig.json": `{
      // our own
      "extends": ["../node_modules/missing", "@acme/tsconfig", "../base"], /* two */
      "compilerOptions": { "strict": true, },
    }`,
    "base.json": { compilerOptions: { moduleResolution: "nodenext", types: ["//", ","] } },
    "node_modules/@acme/tsconfig/package.json": "{}",
    "node_modules/@acme/tsconfig/tsconfig.json": { compilerOptions: { moduleResolution: "bundler" } },
  };
  expect(await endingOf(files)).toBe(".js");
});

test("a file that extends itself, or is not valid JSON, causes no error", async () => {
  expect(
    await endingOf({ "tsconfig.json": { extends: "./tsconfig.json", compilerOptions: { module: "node20" } } }),
  ).toBe(".js");
  expect(
    await endingOf({ "src/tsconfig.json": "{", "tsconfig.json": { compilerOptions: { module: "nodenext" } } }),
  ).toBe(".js");
});
