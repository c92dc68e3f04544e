import { mkdtemp, realpath, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createImportResolver } from "../../src/process/resolving.js";
import { removeFolder } from "../remove-folder.js";

let folder = "";

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "lettershop resolver ")));
  await writeFile(path.join(folder, "types.ts"), "");
});
afterAll(() => removeFolder(folder));

test("resolves after its build could be garbage-collected", async () => {
  const resolve = await createImportResolver(folder);
  v8.setFlagsFromString("--expose-gc");
  const collect: unknown = vm.runInNewContext("gc");
  const found = new Set<string | undefined>();
  for (let turn = 0; turn < 10; turn += 1) {
    found.add(await resolve("./types", path.join(folder, "email.tsx")));
    if (typeof collect === "function") collect();
    await setImmediate();
  }
  expect([...found]).toEqual([path.join(folder, "types.ts")]);
});

test("ignores a tsconfig.json that extends something that isn't installed", async () => {
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ extends: "@example/tsconfig/base.json" }));
  const resolve = await createImportResolver(folder);
  expect(await resolve("./types", path.join(folder, "email.tsx"))).toBe(path.join(folder, "types.ts"));
});
