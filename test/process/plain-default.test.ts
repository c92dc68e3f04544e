import path from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createModuleHost } from "../../src/process/host.js";
import { readDefault, readPlainDefault } from "../../src/process/read-default.js";
import { addFiles, makeFolder } from "./folder.js";

const wrapper = { name: "defineConfig", from: "lettershop/config" };
const start = 'import { defineConfig } from "lettershop/config";\n';

async function read(source: string) {
  const folder = await makeFolder({ "config.ts": source });
  return readPlainDefault(path.join(folder, "config.ts"), wrapper);
}

test.each([
  [`${start}export default defineConfig({ locale: "de-CH" });`, { locale: "de-CH" }],
  [
    `import { defineConfig as d } from "lettershop/config"; export default d({ a: [1, -2, true, null] });`,
    { a: [1, -2, true, null] },
  ],
  [
    `${start}import type { X } from "./x";\nexport default defineConfig({ "a b": \`plain\` } satisfies X) as X;`,
    { "a b": "plain" },
  ],
  [`export default { a: { b: "ü\\u0041" }, a: 1 } as const;`, { a: 1 }],
  [`// nothing but data\nexport default ({});`, {}],
])("returns the literal value of %s", async (source, value) => {
  expect(await read(source)).toEqual({ value });
});

test.each([
  "export default { a: process.env.A };",
  "export default { a: `${1}` };",
  "const a = 1; export default { a };",
  "export default { ...{} };",
  "export default { ['a']: 1 };",
  "export default { a() {} };",
  "export default { get a() { return 1; } };",
  "export default { __proto__: { a: 1 } };",
  "export default { a: /x/, b: 1n };",
  "export default [, 1];",
  "export default { 1: 2 };",
  "export default defineConfig({});",
  'import { defineConfig } from "./mine.js"; export default defineConfig({});',
  'import "./effect.js"; export default {};',
  `${start}export default defineConfig({}, 1);`,
  `${start}export default defineConfig(defineConfig({}));`,
  `${start}export default { a: defineConfig({}) };`,
  "export const a = 1; export default {};",
  "export default function f() {}",
  "export default {",
  "export const config = {};",
])("leaves %s to be run", async (source) => {
  expect(await read(source)).toBeUndefined();
});

test("leaves a missing file to be run, too", async () => {
  expect(await readPlainDefault(path.join(await makeFolder(), "config.ts"), wrapper)).toBeUndefined();
});

test("returns what running it returns, for any data", async () => {
  const folder = await makeFolder();
  const host = createModuleHost({ cacheFolder: path.join(folder, ".lettershop") });
  onTestFinished(() => host.close());
  const file = path.join(folder, "config.ts");
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (data) => {
      await addFiles(folder, { "config.ts": `export default ${JSON.stringify(data)} as unknown;` });
      const plain = await readPlainDefault(file, wrapper);
      const { value } = await readDefault(host, file);
      if (plain) expect(plain.value).toEqual(value);
      else expect(JSON.stringify(data)).toContain("__proto__");
    }),
    { numRuns: process.env["MODE"] === "long" ? 400 : 15 },
  );
});
