import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Bundle, bundleModule } from "../../src/process/bundle.js";
import { createModuleHost, type ModuleHost } from "../../src/process/host.js";
import type { Reads } from "../../src/process/module-inputs.js";
import type { Task } from "../../src/process/host.js";
import { addFiles, makeFolder } from "./folder.js";

const CALL: Task<(input: { bundle: Bundle }) => Promise<{ value: unknown; reads: Reads }>> = {
  module: new URL("./tasks.mjs", import.meta.url),
  name: "callDefaultForReads",
};

interface Entry {
  readonly bundle: Bundle;
  readonly file: string;
  readonly folder: string;
  readonly host: ModuleHost;
}

async function entry(source: string, more: Readonly<Record<string, string>> = {}): Promise<Entry> {
  const folder = await makeFolder({ "entry.ts": source, ...more });
  const host = createModuleHost({ cacheFolder: path.join(folder, ".cache"), env: { BASE: "https://a.example" } });
  onTestFinished(() => host.close());
  const file = path.join(folder, "entry.ts");
  return { bundle: await bundleModule(file), file, folder, host };
}

test("environment variables, by name, sorted, with the position where an own module first reads each", async () => {
  const { bundle, file, host } = await entry(
    `import { env } from "node:process";\nexport default () => [\n  process.env.ZERO ?? "none",\n  env.BASE,\n  import.meta.env.VITE_X,\n  process.env.NODE_ENV,\n  process.env.BASE,\n];`,
  );
  const { value, reads } = await host.run(CALL, { bundle });
  expect(value).toEqual(["none", "https://a.example", undefined, "production", "https://a.example"]);
  expect(reads.environment).toMatchObject([
    { name: "BASE", isSet: true, at: { file, line: 4 } },
    { name: "VITE_X", isSet: false, at: { file, line: 5 } },
    { name: "ZERO", isSet: false, at: { file, line: 3 } },
  ]);
  expect(reads.environment).toHaveLength(3);
});

test("what packages read has no position, and counts for every later task", async () => {
  const { bundle, folder, host } = await entry(`import { base } from "pkg";\nexport default () => base;`, {
    "node_modules/pkg/package.json": `{ "type": "module", "exports": "./index.js" }`,
    "node_modules/pkg/index.js": `export const base = process.env.BASE;`,
    "other.ts": `export default () => "nothing";`,
  });
  expect((await host.run(CALL, { bundle })).reads.environment).toEqual([{ name: "BASE", isSet: true }]);
  const other = await bundleModule(path.join(folder, "other.ts"));
  expect((await host.run(CALL, { bundle: other })).reads.environment).toEqual([{ name: "BASE", isSet: true }]);
});

test("what a module reads while it is imported counts for each task that uses it", async () => {
  const { bundle, file, folder, host } = await entry(`const base = process.env.BASE;\nexport default () => base;`, {
    "other.ts": `export default () => "nothing";`,
  });
  const expected = [{ name: "BASE", isSet: true, at: { file, line: 1, column: 26 } }];
  expect((await host.run(CALL, { bundle })).reads.environment).toEqual(expected);
  expect((await host.run(CALL, { bundle })).reads.environment).toEqual(expected);
  const other = await bundleModule(path.join(folder, "other.ts"));
  expect((await host.run(CALL, { bundle: other })).reads.environment).toEqual([]);
});

test("files that own modules read", async () => {
  const { bundle, folder, host } = await entry(
    `import fs, { readFileSync } from "node:fs";\nimport { readFile } from "node:fs/promises";\nimport path from "node:path";
export default async () => [
  readFileSync(path.join(import.meta.dirname, "a.svg"), "utf8"),
  fs.readFileSync(new URL("./b.svg", import.meta.url), "utf8"),
  await readFile(path.join(import.meta.dirname, "c.svg"), "utf8"),
];`,
    { "a.svg": "a", "b.svg": "b", "c.svg": "c" },
  );
  const { value, reads } = await host.run(CALL, { bundle });
  expect(value).toEqual(["a", "b", "c"]);
  expect(reads.files).toEqual(["a.svg", "b.svg", "c.svg"].map((name) => path.join(folder, name)));
});

test("whether it reads the time or random numbers", async () => {
  const { folder, host } = await entry("");
  const asking = ["new Date()", "Date.now()", "Date()", "Math.random()", "crypto.randomUUID()", "performance.now()"];
  const formatting = ["Intl.DateTimeFormat().format()", "new Intl.DateTimeFormat().formatToParts(undefined).length"];
  const others = ["new Date(2026, 1, 1)", "Math.max(1, 2)", "Intl.DateTimeFormat().format(new Date(0))"];
  for (const expression of [...asking, ...formatting, ...others]) {
    await addFiles(folder, { "asking.ts": `export default () => {\n  return String(${expression});\n};` });
    const file = path.join(folder, "asking.ts");
    const { reads } = await host.run(CALL, { bundle: await bundleModule(file) });
    const expected = !others.includes(expression) ? [{ file, line: 2 }] : [];
    expect(reads.moments, expression).toMatchObject(expected);
  }
});

test("also in a function of a package, where an own module calls it", async () => {
  const { bundle, file, host } = await entry(
    `import { now, atLoad } from "clock";\nexport default () => {\n  return now() - atLoad;\n};`,
    {
      "node_modules/clock/package.json": `{ "type": "module", "exports": "./index.js" }`,
      "node_modules/clock/index.js": `export const now = () => Date.now();\nexport const atLoad = now();`,
    },
  );
  const { reads } = await host.run(CALL, { bundle });
  expect(reads.moments).toMatchObject([{ file, line: 3 }]);
});

test("another host has another worker, and on request a later clock", async () => {
  const { bundle, host } = await entry(
    `let calls = 0;\nexport default () => [++calls, new Date().getFullYear(), new Date() instanceof Date];`,
  );
  const later = host.another({ later: true });
  onTestFinished(() => later.close());
  const year = new Date().getFullYear();
  expect((await host.run(CALL, { bundle })).value).toEqual([1, year, true]);
  expect((await later.run(CALL, { bundle })).value).not.toEqual([1, year, true]);
  expect((await later.run(CALL, { bundle })).value).toMatchObject([2, expect.any(Number), true]);
});
