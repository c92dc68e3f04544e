import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fixtureFile } from "../../../src/preview/server/fixtures/save-fixture.js";
import { writeAtomically } from "../../../src/preview/server/fixtures/write-file.js";
import { loadTemplates } from "../../../src/project/load-templates.js";
import type { Template } from "../../../src/project/template.js";

let folder: string;
let template: Template;

const at = (...parts: string[]): string => path.join(folder, ...parts);

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "fixtures-")));
  mkdirSync(at("templates/notice"), { recursive: true });
  mkdirSync(at("elsewhere"));
  writeFileSync(
    at("templates/notice/notice.html"),
    "<!doctype html><html lang=en><head><title>Hi</title></head><body><p>Hi</p></body></html>",
  );
  const [loaded] = loadTemplates([at("templates")]).templates;
  if (!loaded) throw new Error("The template is not there.");
  template = loaded;
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the fixtures folder may be missing, and is created when something is written", async () => {
  const { file, isThere } = fixtureFile(template, "default");
  expect([file, isThere]).toEqual([at("templates/notice/fixtures/default.json"), false]);
  await writeAtomically(file, "{}\n", false);
  expect(fixtureFile(template, "default").isThere).toBe(true);
});

test("a folder that leads out of the templates is refused, and one that leads elsewhere inside is not", () => {
  symlinkSync(at("elsewhere"), at("templates/notice/fixtures"), "junction");
  expect(() => fixtureFile(template, "default")).toThrow("leads out of the templates root");
  rmSync(at("templates/notice/fixtures"));
  mkdirSync(at("templates/_shared"));
  symlinkSync(at("templates/_shared"), at("templates/notice/fixtures"), "junction");
  expect(fixtureFile(template, "default").file).toBe(at("templates/_shared/default.json"));
});

test("a link in place of a fixture is neither followed nor replaced", () => {
  mkdirSync(at("templates/notice/fixtures"));
  writeFileSync(at("elsewhere/secret.json"), "{}");
  try {
    symlinkSync(at("elsewhere/secret.json"), at("templates/notice/fixtures/link.json"));
  } catch {
    return; // on Windows, creating links needs a permission
  }
  expect(() => fixtureFile(template, "link")).toThrow("notice/fixtures/link.json is not a plain file.");
});

test("a file that appears meanwhile is not overwritten", async () => {
  const { file } = fixtureFile(template, "default");
  await writeAtomically(file, "first", false);
  await expect(writeAtomically(file, "second", false)).rejects.toMatchObject({
    status: 409,
    message: "default.json already exists.",
  });
  await writeAtomically(file, "third", true);
  expect(readFileSync(file, "utf8")).toBe("third");
  expect(readdirSync(path.dirname(file))).toEqual(["default.json"]);
});

test("an obstacle in place of the folder is reported, and nothing is left behind", async () => {
  writeFileSync(at("templates/notice/fixtures"), "a file");
  expect(() => fixtureFile(template, "default")).toThrow(/^notice.fixtures can't be read: ENOTDIR/);
  await expect(writeAtomically(at("templates/notice/fixtures/default.json"), "{}", true)).rejects.toMatchObject({
    status: 500,
  });
  expect(readdirSync(at("templates/notice"))).toEqual(["fixtures", "notice.html"]);
});

// Windows has no such folders.
test.skipIf(process.getuid === undefined)(
  "a folder without write permission is reported, and nothing is lost",
  async () => {
    const { file } = fixtureFile(template, "default");
    await writeAtomically(file, "first", false);
    chmodSync(folder, 0o755);
    chmodSync(path.dirname(file), 0o555);
    const isRoot = process.getuid?.() === 0;
    // For root, permissions don't apply.
    if (isRoot) process.seteuid?.(65_534);
    try {
      await expect(writeAtomically(file, "second", true)).rejects.toMatchObject({
        status: 500,
        message: "Couldn't write default.json: EACCES: permission denied. The file is unchanged.",
        hint: "Give this process permission to write to the template's folder.",
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(path.dirname(file), 0o755);
    }
    expect(readFileSync(file, "utf8")).toBe("first");
    expect(readdirSync(path.dirname(file))).toEqual(["default.json"]);
  },
);
