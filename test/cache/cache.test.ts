import { fork } from "node:child_process";
import { readdirSync } from "node:fs";
import { readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { type CacheKey, openCache } from "../../src/cache/cache.js";
import { type Inputs, stateOf } from "../../src/cache/inputs.js";
import { addFiles, makeFolder } from "../process/folder.js";

let folder: string;

beforeEach(async () => {
  folder = await makeFolder({ "a.ts": "a", "b.ts": "b" });
  await settle("a.ts", "b.ts");
});

const at = (name: string): string => path.join(folder, name);

/** A run of a command with these environment variables. */
const run = (environment = {}, version = "1") => openCache({ folder: at("cache"), environment, version });

const identity = { name: "receipt", key: { text: "Hi" } };

/** What a run that starts now finds. */
const found = (environment = {}, version = "1", key: CacheKey = identity): unknown =>
  run(environment, version).read(key)?.value;

describe("a result is reused while its inputs are unchanged", () => {
  const inputs = (): Inputs => ({
    files: [at("a.ts"), at("gone.ts")],
    places: [at("_assets/logo.png")],
    stems: [at("layout")],
    trees: [at("override")],
    environment: ["COLOUR", "UNSET"],
  });
  const environment = { COLOUR: "red" };

  beforeEach(() => run(environment).write(identity, inputs(), { html: "<p>" }));

  test("by the next run", () => {
    expect(found(environment)).toEqual({ html: "<p>" });
    expect(found({ ...environment, OTHER: "1" })).toEqual({ html: "<p>" });
  });

  test.each<[string, () => Promise<unknown>]>([
    ["a file's content", () => writeFile(at("a.ts"), "A")],
    ["a file's content without its time", () => writeFile(at("a.ts"), "A").then(() => settle("a.ts"))],
    ["a removed file", () => rm(at("a.ts"))],
    ["a new file", () => writeFile(at("gone.ts"), "")],
    ["an image in a nearer folder", () => addFiles(folder, { "_assets/logo.png": "" })],
    ["another file that an import may resolve to", () => addFiles(folder, { "layout.ts": "" })],
    ["a file in a folder that is searched first", () => addFiles(folder, { "override/deep/two.ts": "" })],
    ["a folder that an import may resolve to", () => addFiles(folder, { "layout/index.ts": "" })],
  ])("but not after a change of %s", async (_what, change) => {
    await change();
    expect(found(environment)).toBeUndefined();
  });

  test("but not in another environment", () => {
    expect(found({ COLOUR: "blue" })).toBeUndefined();
    expect(found({ ...environment, UNSET: "" })).toBeUndefined();
  });

  test("but not if another of the listed variables was added", () => {
    const listing: Inputs = { files: [], environment: ["*"] };
    run(environment).write(identity, listing, 1);
    expect(found({ COLOUR: "blue" })).toBe(1);
    expect(found({ ...environment, FEATURE_X: "1" })).toBeUndefined();
  });

  test("but not for another key, or by another version", () => {
    expect(found(environment, "1", { ...identity, key: { text: "Ho" } })).toBeUndefined();
    expect(found(environment, "1", { ...identity, name: "welcome" })).toBeUndefined();
    expect(found(environment, "2")).toBeUndefined();
  });

  test("whatever else changes", async () => {
    await addFiles(folder, { "b.ts": "B", "_assets/other.png": "", "layouts.ts": "" });
    expect(found(environment)).toEqual({ html: "<p>" });
  });
});

test("a file that changed while the result was computed doesn't validate it", async () => {
  const cache = run();
  await writeFile(at("a.ts"), "changed");
  cache.write(identity, { files: [at("a.ts")] }, "of the old text or the new?");
  expect(found()).toBeUndefined();
});

test.each([
  ["broken", "{"],
  ["empty", ""],
  ["foreign", `"x"`],
  ["of another format", `{ "key": "k", "stamp": "s" }`],
])("a cache file that is %s is ignored", async (_what, text) => {
  run().write(identity, { files: [] }, 1);
  const [file = ""] = await readdir(at("cache"));
  await writeFile(path.join(at("cache"), file), text);
  expect(found()).toBeUndefined();
  run().write(identity, { files: [] }, 2);
  expect(found()).toBe(2);
});

test("a cache that can't be written is empty", async () => {
  await writeFile(at("cache"), "a file in its place");
  run().write(identity, { files: [] }, 1);
  expect(found()).toBeUndefined();
});

test("does not contain values of the environment", async () => {
  run({ COLOUR: "ultramarine" }).write(identity, { files: [], environment: ["COLOUR"] }, 1);
  const [file = ""] = await readdir(at("cache"));
  expect(await readFile(path.join(at("cache"), file), "utf8")).not.toContain("ultramarine");
});

test("entries written a month ago are removed", async () => {
  run().write({ name: "old", key: 1 }, { files: [] }, 1);
  const [old = ""] = await readdir(at("cache"));
  for (const name of [old, "tidied"]) await utimes(path.join(at("cache"), name), new Date(0), new Date(0));
  run().write({ name: "new", key: 1 }, { files: [] }, 2);
  expect(found({}, "1", { name: "old", key: 1 })).toBeUndefined();
  expect(found({}, "1", { name: "new", key: 1 })).toBe(2);
});

describe("a separately stored part", () => {
  const files = () => readdirSync(at("cache")).filter((name) => name.endsWith(".separate"));

  beforeEach(() => run().write(identity, { files: [] }, "head", { body: "<p>" }));

  test("is read on demand", () => {
    expect(run().read(identity)).toMatchObject({ value: "head" });
    expect(run().read(identity)?.separate()).toEqual({ body: "<p>" });
  });

  test("belongs to the result that was read, whatever is written meanwhile", () => {
    const kept = run().read(identity);
    run().write(identity, { files: [] }, "head", { body: "<i>" });
    expect(kept?.separate()).toEqual({ body: "<p>" });
    expect(run().read(identity)?.separate()).toEqual({ body: "<i>" });
    expect(run().read(identity)?.identity).not.toBe(kept?.identity);
  });

  test.each([
    ["gone", (file: string) => rm(file)],
    ["truncated", (file: string) => writeFile(file, "{")],
  ])("is required: if it is %s, there is no result", async (_what, change) => {
    await change(at(`cache/${files()[0]}`));
    expect(found()).toBeUndefined();
  });

  test("is removed a day after the last result that refers to it", async () => {
    const [old = ""] = files();
    run().write(identity, { files: [] }, "head", { body: "<i>" });
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const name of [...files(), "tidied"]) await utimes(at(`cache/${name}`), yesterday, yesterday);
    run().write({ name: "other", key: 1 }, { files: [] }, 1);
    expect(files()).toHaveLength(1);
    expect(files()).not.toContain(old);
    expect(run().read(identity)?.separate()).toEqual({ body: "<i>" });
  });
});

describe("a file is read again", () => {
  const inputs = (): Inputs => ({ files: [at("a.ts")] });

  /** Different content in a file with a cached state, with the same size and modification time. */
  const writeUnseen = async (text: string, write: (file: string) => Promise<unknown>): Promise<void> => {
    await writeFile(at("a.ts"), text);
    await settle("a.ts");
    const { atime, mtime } = await stat(at("a.ts"));
    run().write(identity, inputs(), "old");
    expect(found()).toBe("old");
    await write(at("a.ts"));
    await utimes(at("a.ts"), atime, mtime);
    expect(await stat(at("a.ts"))).toMatchObject({ size: text.length, mtimeMs: mtime.getTime() });
  };

  test.each<[string, (file: string) => Promise<unknown>]>([
    ["overwrites it", (file) => writeFile(file, "new")],
    ["replaces it", (file) => writeFile(`${file}~`, "new").then(() => rename(`${file}~`, file))],
    [
      "is the target of a link that replaces it",
      (file) =>
        writeFile(`${file}~`, "new")
          .then(() => rm(file))
          .then(() => symlink(`${file}~`, file)),
    ],
  ])("if one of the same size and time %s", async (_what, write) => {
    await writeUnseen("old", write);
    expect(found()).toBeUndefined();
  });

  test("but the same content counts as unchanged, however it was written", async () => {
    await writeUnseen("old", (file) => rm(file).then(() => writeFile(file, "old")));
    expect(found()).toBe("old");
  });

  test("while its time is in the future, or not yet past", async () => {
    const cache = run();
    const ahead = new Date(Date.now() + 60_000);
    await utimes(at("a.ts"), ahead, ahead);
    expect(cache.write(identity, inputs(), "old")).toBeUndefined();
    expect(stateOf(at("a.ts"))?.settledAt).toBeGreaterThan(ahead.getTime());
  });

  test("for two seconds if times seem to be whole seconds", async () => {
    const second = new Date(1e9);
    await utimes(at("b.ts"), second, second);
    const { ctimeMs } = await stat(at("b.ts"));
    const settledAt = stateOf(at("b.ts"))?.settledAt ?? 0;
    // The change time shows that this file system has a finer resolution.
    expect(settledAt - ctimeMs).toBeLessThan(ctimeMs % 1000 === 0 ? 2001 : 21);
    expect(settledAt - ctimeMs).toBeGreaterThan(18);
  });
});

test("a tree is known through links, also those that form a cycle", async () => {
  await addFiles(folder, { "tree/deep/one.ts": "", "elsewhere/two.ts": "" });
  await symlink(at("tree"), at("tree/deep/around"));
  await symlink(at("elsewhere"), at("tree/linked"));
  run().write(identity, { files: [], trees: [at("tree")] }, 1);
  expect(found()).toBe(1);
  await addFiles(folder, { "elsewhere/three.ts": "" });
  expect(found()).toBeUndefined();
});

test("processes that write the same name concurrently leave a complete result", async () => {
  const writers = Array.from({ length: 2 }, (_, index) =>
    fork(fileURLToPath(new URL("write.mjs", import.meta.url)), [at("cache"), String(index)]),
  );
  const ends = writers.map((writer) => once(writer, "exit"));
  let seen = 0;
  while (writers.some(({ exitCode }) => exitCode === null)) {
    const value = found();
    if (value !== undefined) {
      expect(value).toMatch(/^(.)\1{49999}$/);
      seen += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0]);
  expect(seen).toBeGreaterThan(0);
  expect((await readdir(at("cache"))).filter((name) => name !== "tidied")).toHaveLength(1);
});

/** Sets the times of files before this run, so that they count as settled. */
async function settle(...names: string[]): Promise<void> {
  for (const name of names) await utimes(at(name), new Date(1e9), new Date(1e9));
  // A file's change time can't be set: wait until the clock has passed it.
  await new Promise((resolve) => setTimeout(resolve, 40));
}
