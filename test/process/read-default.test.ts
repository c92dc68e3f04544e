import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createModuleHost } from "../../src/process/host.js";
import { ModuleError } from "../../src/process/module-error.js";
import { prepareReading, readDefault } from "../../src/process/read-default.js";
import { makeFolder } from "./folder.js";

async function read(source: string): Promise<unknown> {
  const folder = await makeFolder({ "config.ts": source });
  const host = createModuleHost({ cacheFolder: path.join(folder, ".lettershop") });
  onTestFinished(() => host.close());
  return (await readDefault(host, path.join(folder, "config.ts"))).value;
}

test("returns the default export", async () => {
  expect(await read(`const roots: string[] = ["a"]; export default { roots };`)).toEqual({ roots: ["a"] });
  expect(await read(`export default undefined;`)).toBeUndefined();
});

test.each([
  [`export const config = {};`, "config.ts has no default export."],
  [`export default { f() {} };`, "config.ts exports something that is not data: f() {} could not be cloned."],
  [
    `export default { p: Promise.resolve() };`,
    "config.ts exports something that is not data: #<Promise> could not be cloned.",
  ],
])("rejects %s", async (source, message) => {
  const error: unknown = await read(source).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ModuleError);
  expect(error).toMatchObject({ message });
});

test("returns the same if the worker was started before", async () => {
  const folder = await makeFolder({ "config.ts": `export default { lang: process.env["LANG"] };` });
  const host = createModuleHost({ cacheFolder: path.join(folder, ".lettershop"), env: { LANG: "en" } });
  onTestFinished(() => host.close());
  const file = path.join(folder, "config.ts");
  const [, found] = await Promise.all([prepareReading(host), readDefault(host, file)]);
  expect(found).toEqual({ value: { lang: "en" }, sources: [file], environment: ["LANG"] });
});

test("a started worker that is unused may be closed", async () => {
  const folder = await makeFolder({});
  const host = createModuleHost({ cacheFolder: path.join(folder, ".lettershop") });
  const starting = prepareReading(host);
  await host.close();
  await expect(starting).resolves.toBeUndefined();
});
