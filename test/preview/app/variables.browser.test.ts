import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { projectAccess } from "../../../src/cli/preview/access.js";
import { type RunningPreview, startPreview } from "../../../src/preview/server/start.js";
import { browser } from "../browser.js";

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "preview-variables-")));
let preview: RunningPreview;
let page: Page;

const at = (file: string): string => path.join(folder, "templates/order", file);
const read = (file: string): unknown => JSON.parse(readFileSync(at(file), "utf8"));

const panel = () => page.getByRole("complementary", { name: "Variables" });
const field = (name: string) => panel().getByRole("textbox", { name, exact: true });
const email = () => page.frameLocator("iframe >> nth=0").locator("body");
const editor = () => panel().getByRole("textbox", { name: "Variables as JSON" });
const shows = (words: string) => email().getByText(words).first().waitFor();

const eventually = <Value>(look: () => Value) => expect.poll(look, { timeout: 10_000 });

const ORDER = { name: "Ada", lines: [{ label: "Tea" }, { label: "Jam" }] };

beforeAll(async () => {
  mkdirSync(at("fixtures"), { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{ "name": "shop" }');
  writeFileSync(
    at("order.html"),
    `<!doctype html><html lang="en"><head><title>Order of {{name}}</title></head><body><p>Hello {{name}}!</p>{{#lines}}<p>Item {{label}}.</p>{{/lines}}</body></html>`,
  );
  preview = await startPreview({ project: await projectAccess({ cwd: folder, config: undefined }), port: 0 });
  page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 } });
});

beforeEach(async () => {
  rmSync(at("fixtures/no-lines.json"), { force: true });
  writeFileSync(at("fixtures/default.json"), `${JSON.stringify(ORDER, null, 2)}\n`);
  await page.goto("about:blank");
  await page.goto(`${preview.url}#/templates/order`);
  await shows("Hello Ada!");
});

afterAll(async () => {
  await preview.close();
  rmSync(folder, { recursive: true, force: true });
});

test("what is typed shows in the email and stays in the address, until it is reset", async () => {
  await field("name (required)").fill("Grace");
  await shows("Hello Grace!");
  await eventually(() => page.url()).toContain("Grace");
  await page.reload();
  await shows("Hello Grace!");
  await panel().getByRole("button", { name: "Reset", exact: true }).click();
  await shows("Hello Ada!");
  expect(page.url()).not.toContain("edited");
  expect(read("fixtures/default.json")).toEqual(ORDER);
});

test("a list grows, is put in order and shrinks, by keyboard alone", async () => {
  await panel().getByRole("button", { name: "Add an item" }).focus();
  await page.keyboard.press("Enter");
  // The new item has the focus.
  await page.keyboard.press("Tab");
  const names = () => panel().getByRole("textbox", { name: "label (required)" });
  await eventually(() => names().count()).toBe(3);
  await names().nth(2).focus();
  await page.keyboard.type("Bread");
  await shows("Item Bread.");
  await panel().getByRole("button", { name: "Move lines 3 up" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await eventually(() => email().innerText()).toMatch(/Bread\..*Tea\..*Jam\./s);
  await panel().getByRole("button", { name: "Remove lines 2" }).focus();
  await page.keyboard.press("Enter");
  await eventually(() => email().innerText()).not.toContain("Tea");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Remove lines 2");
});

test("JSON that is none says where, keeps the last email, and survives the form", async () => {
  await panel().getByRole("radio", { name: "JSON" }).check();
  await editor().fill('{\n  "name": "Eve",\n  "lines": []\n}');
  await shows("Hello Eve!");
  await editor().fill('{\n  "name": "Joan",\n  "lines": [}\n}');
  await panel().getByText("JSON, line 3, column 13: Expected a value, found }.").waitFor();
  await shows("Hello Eve!");
  await panel().getByRole("radio", { name: "Form" }).check();
  expect(await field("name (required)").isDisabled()).toBe(true);
  await panel().getByRole("button", { name: "Mend it" }).click();
  await eventually(() => editor().innerText()).toContain('"lines": [}');
  await editor().fill('{ "name": "Joan", "lines": [] }');
  await shows("Hello Joan!");
  await panel().getByRole("radio", { name: "Form" }).check();
  expect(await field("name (required)").inputValue()).toBe("Joan");
});

test("a fixture is saved, and as a new one, with the keys alone and after saying what its contract becomes", async () => {
  await field("name (required)").fill("Grace");
  await page.keyboard.press("ControlOrMeta+s");
  await eventually(() => read("fixtures/default.json")).toEqual({ ...ORDER, name: "Grace" });
  await eventually(() => page.url()).not.toContain("edited");
  await panel().getByRole("radio", { name: "JSON" }).check();
  await editor().fill('{ "name": "Joan", "lines": [], "note": "new" }');
  await page.keyboard.press("ControlOrMeta+Shift+s");
  const dialog = page.getByRole("dialog", { name: "Save as new fixture" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("No Lines");
  await dialog.getByText("no-lines, for example").waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("no-lines");
  await page.keyboard.press("Enter");
  await dialog.getByText("note is new (string, optional).").waitFor();
  await page.keyboard.press("Enter");
  await eventually(() => page.url()).toContain("fixture=no-lines");
  expect(read("fixtures/no-lines.json")).toEqual({ name: "Joan", lines: [], note: "new" });
  await shows("Hello Joan!");
});

test("a preset puts the email under stress, and nothing is written", async () => {
  await panel().getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name: "HTML in values" }).click();
  await shows("<b>Ada</b>");
  await panel().getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name: "Many items" }).click();
  await eventually(() => email().getByText("Item Tea.").count()).toBe(30);
  await shows("Hello Ada!");
  expect(read("fixtures/default.json")).toEqual(ORDER);
});
