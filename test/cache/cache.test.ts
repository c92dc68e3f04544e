import { fork } from "node:child_process";
import { readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { openCache } from "../../src/cache/cache.js";
import type { Inputs } from "../../src/cache/inputs.js";
import { addFiles, makeFolder } from "../modules/folder.js";

let folder: string;

beforeEach(async () => {
  folder = await makeFolder({ "a.ts": "a", "b.ts": "b" });
  await settle("a.ts", "b.ts");
});

const at = (name: string): string => path.join(folder, name);

/** A run of a command, with these environment variables. */
const run = (environment = {}, version = "1") => openCache({ folder: at("cache"), environment, version });

const asked = { name: "receipt", key: { text: "Hi" } };

describe("a result is read again while its inputs are as they were", () => {
  const inputs = (): Inputs => ({
    files: [at("a.ts"), at("gone.ts")],
    places: [at("_assets/logo.png")],
    stems: [at("layout")],
    trees: [at("override")],
    environment: ["COLOUR", "UNSET"],
  });
  const environment = { COLOUR: "red" };

  beforeEach(() => run(environment).write(asked, inputs(), { html: "<p>" }));

  test("by the next run", () => {
    expect(run(environment).read(asked)).toEqual({ html: "<p>" });
    expect(run({ ...environment, OTHER: "1" }).read(asked)).toEqual({ html: "<p>" });
  });

  test.each<[string, () => Promise<unknown>]>([
    ["a file's content", () => writeFile(at("a.ts"), "A")],
    ["a file's content, its time kept", () => writeFile(at("a.ts"), "A").then(() => settle("a.ts"))],
    ["a file that goes", () => rm(at("a.ts"))],
    ["a file that was not there", () => writeFile(at("gone.ts"), "")],
    ["an image at a nearer place", () => addFiles(folder, { "_assets/logo.png": "" })],
    ["another file that an import may mean", () => addFiles(folder, { "layout.ts": "" })],
    ["a file in a folder that is looked in first", () => addFiles(folder, { "override/deep/two.ts": "" })],
    ["a folder that an import may mean", () => addFiles(folder, { "layout/index.ts": "" })],
  ])("and not after a change of %s", async (_what, change) => {
    await change();
    expect(run(environment).read(asked)).toBeUndefined();
  });

  test("and not in another environment", () => {
    expect(run({ COLOUR: "blue" }).read(asked)).toBeUndefined();
    expect(run({ ...environment, UNSET: "" }).read(asked)).toBeUndefined();
  });

  test("and not where another variable is among those that were listed", () => {
    const listing: Inputs = { files: [], environment: ["*"] };
    run(environment).write(asked, listing, 1);
    expect(run({ COLOUR: "blue" }).read(asked)).toBe(1);
    expect(run({ ...environment, FEATURE_X: "1" }).read(asked)).toBeUndefined();
  });

  test("and not for another key, or by another version", () => {
    expect(run(environment).read({ ...asked, key: { text: "Ho" } })).toBeUndefined();
    expect(run(environment).read({ ...asked, name: "welcome" })).toBeUndefined();
    expect(run(environment, "2").read(asked)).toBeUndefined();
  });

  test("whatever else changes", async () => {
    await addFiles(folder, { "b.ts": "B", "_assets/other.png": "", "layouts.ts": "" });
    expect(run(environment).read(asked)).toEqual({ html: "<p>" });
  });
});

test("a file that changed while the result was made is no proof of it", async () => {
  const cache = run();
  await writeFile(at("a.ts"), "changed");
  cache.write(asked, { files: [at("a.ts")] }, "of the old text or the new?");
  expect(run().read(asked)).toBeUndefined();
});

test.each([
  ["broken", "{"],
  ["empty", ""],
  ["foreign", `"x"`],
  ["of another form", `{ "key": "k", "stamp": "s" }`],
])("a cache file that is %s is as good as none", async (_what, text) => {
  run().write(asked, { files: [] }, 1);
  const [file = ""] = await readdir(at("cache"));
  await writeFile(path.join(at("cache"), file), text);
  expect(run().read(asked)).toBeUndefined();
  run().write(asked, { files: [] }, 2);
  expect(run().read(asked)).toBe(2);
});

test("a cache that cannot be written is an empty one", async () => {
  await writeFile(at("cache"), "a file in its place");
  run().write(asked, { files: [] }, 1);
  expect(run().read(asked)).toBeUndefined();
});

test("values of the environment are not in it", async () => {
  run({ COLOUR: "ultramarine" }).write(asked, { files: [], environment: ["COLOUR"] }, 1);
  const [file = ""] = await readdir(at("cache"));
  expect(await readFile(path.join(at("cache"), file), "utf8")).not.toContain("ultramarine");
});

test("what was written a month ago goes", async () => {
  run().write({ name: "old", key: 1 }, { files: [] }, 1);
  const [old = ""] = await readdir(at("cache"));
  await utimes(path.join(at("cache"), old), new Date(0), new Date(0));
  run().write({ name: "new", key: 1 }, { files: [] }, 2);
  expect(run().read({ name: "old", key: 1 })).toBeUndefined();
  expect(run().read({ name: "new", key: 1 })).toBe(2);
});

test("processes that write the same name at once leave a whole result", async () => {
  const writers = Array.from({ length: 4 }, (_, index) =>
    fork(fileURLToPath(new URL("write.mjs", import.meta.url)), [at("cache"), String(index)]),
  );
  const ends = writers.map((writer) => once(writer, "exit"));
  let seen = 0;
  while (writers.some(({ exitCode }) => exitCode === null)) {
    const value = run().read(asked);
    if (value !== undefined) {
      expect(value).toMatch(/^(.)\1{49999}$/);
      seen += 1;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0, 0, 0]);
  expect(seen).toBeGreaterThan(0);
  expect(await readdir(at("cache"))).toHaveLength(1);
});

/** Gives files a time before this run, so that they count as settled. */
async function settle(...names: string[]): Promise<void> {
  for (const name of names) await utimes(at(name), new Date(1e9), new Date(1e9));
  // A file's change time cannot be set: wait until the clock has left it behind.
  await new Promise((resolve) => setTimeout(resolve, 40));
}
