import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectAccess } from "../../../src/cli/preview/access.js";
import { type RunningPreview, startPreview } from "../../../src/preview/server/start.js";
import { browser, violations } from "../browser.js";
import { removeFolder } from "../../remove-folder.js";

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "preview-variables-")));
let preview: RunningPreview;
let page: Page;
/** Of each kind, how many templates were opened. */
const opened = { order: 0, invoice: 0, facts: 0 };
let order: string;

const inTemplate = (name: string, file: string): string => path.join(folder, "templates", name, file);
const at = (file: string): string => inTemplate(order, file);
const read = (file: string): unknown => JSON.parse(readFileSync(at(file), "utf8"));

const panel = () => page.getByRole("complementary", { name: "Variables" });
const field = (name: string) => panel().getByRole("textbox", { name, exact: true });
const email = () => page.frameLocator("iframe >> nth=0").locator("body");
const editor = () => panel().getByRole("textbox", { name: "Variables as JSON" });
const row = (template: string) => page.getByRole("treeitem", { name: new RegExp(`^${template}\\b`) });
const shows = (words: string) => email().getByText(words).first().waitFor();

const eventually = <Value>(look: () => Value) => expect.poll(look);

const ORDER = { name: "Ada", lines: [{ label: "Tea" }, { label: "Jam" }] };

/** One whose email only the server can fill. */
const INVOICE = { currency: "EUR", at: "2026-11-22T10:00:00Z", lines: [{ label: "Tea", unit: "kg" }] };
const INVOICE_VARIABLES = `
  import { z } from "zod";
  const line = z.object({ label: z.string(), unit: z.enum(["kg", "l"]) });
  const currency = z.string().regex(/^[A-Z]{3}$/);
  export default z.object({ currency, at: z.iso.datetime(), lines: z.array(line).min(1) });
  export function derive({ currency, lines }) {
    return { total: new Intl.NumberFormat("en", { style: "currency", currency }).format(lines.length) };
  }`;

const htmlOf = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;

function write(name: string, body: string, fixture: unknown, variables?: string): void {
  mkdirSync(inTemplate(name, "fixtures"), { recursive: true });
  writeFileSync(inTemplate(name, `${name}.html`), body);
  writeFileSync(inTemplate(name, "fixtures/default.json"), `${JSON.stringify(fixture, null, 2)}\n`);
  if (variables !== undefined) writeFileSync(inTemplate(name, "variables.ts"), variables);
}

/** Shows a template of this kind that no other test has edited: the page remembers what was. */
async function open(kind: keyof typeof opened): Promise<string> {
  opened[kind] += 1;
  const name = `${kind}-${opened[kind]}`;
  await page.goto(`${preview.url}#/templates/${name}`);
  await shows({ order: "Hello Ada!", invoice: "Total €1.00.", facts: "Eyes: green" }[kind]);
  return name;
}

beforeAll(async () => {
  mkdirSync(path.join(folder, "node_modules"));
  symlinkSync(path.resolve("node_modules/zod"), path.join(folder, "node_modules/zod"), "junction");
  writeFileSync(path.join(folder, "package.json"), '{ "name": "shop" }');
  for (let number = 1; number <= 14; number += 1)
    write(
      `order-${number}`,
      htmlOf("Order of {{name}}", "<p>Hello {{name}}!</p>{{#lines}}<p>Item {{label}}.</p>{{/lines}}"),
      ORDER,
    );
  for (let number = 1; number <= 5; number += 1)
    write(
      `invoice-${number}`,
      htmlOf(
        "{{total}}",
        "<p>Total {{total}}.</p>{{#lines}}<p>{{label}}, {{unit}}</p>{{/lines}}<p>{{currency}} {{at}}</p>",
      ),
      INVOICE,
      INVOICE_VARIABLES,
    );
  for (let number = 1; number <= 2; number += 1)
    write(
      `facts-${number}`,
      htmlOf("Facts", "<p>Eyes: {{facts.Eyes}}</p>"),
      { facts: { Eyes: "green", Hair: "red" } },
      `import { z } from "zod"; export default z.object({ facts: z.record(z.string(), z.string()) });`,
    );
  preview = await startPreview({ project: await projectAccess({ cwd: folder, config: undefined }), port: 0 });
  page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  page.setDefaultTimeout(60_000);
});

afterAll(async () => {
  await page.close();
  await preview.close();
  await removeFolder(folder);
});

test("what is typed shows in the email and is in the address, until it is reset", async () => {
  order = await open("order");
  await field("name (required)").fill("Grace");
  await shows("Hello Grace!");
  await eventually(() => page.url()).toContain("Grace");
  await panel().getByRole("button", { name: "Reset", exact: true }).click();
  await shows("Hello Ada!");
  await eventually(() => page.url()).not.toContain("edited");
  expect(read("fixtures/default.json")).toEqual(ORDER);
});

test("a pane with a fixture of its own shows that one's edits, too", async () => {
  order = await open("order");
  writeFileSync(at("fixtures/no-lines.json"), JSON.stringify({ name: "Joan", lines: [] }));
  await page.goto(`${preview.url}#/templates/${order}?pane=390&pane=390,fixture:default`);
  await field("name (required)").fill("Grace");
  await shows("Hello Grace!");
  await page.getByRole("treeitem", { name: "no-lines" }).click();
  await shows("Hello Joan!");
  const pinned = page.frameLocator("iframe >> nth=1").locator("body");
  await pinned.getByText("Hello Grace!").waitFor();
  await page.getByRole("treeitem", { name: "default" }).click();
  await panel().getByRole("button", { name: "Reset", exact: true }).click();
  await pinned.getByText("Hello Ada!").waitFor();
});

test("a list grows, is put in order and shrinks, by keyboard alone", async () => {
  order = await open("order");
  await panel().getByRole("button", { name: "Add an item" }).focus();
  await page.keyboard.press("Enter");
  const names = () => panel().getByRole("textbox", { name: "label (required)" });
  await eventually(() => names().count()).toBe(3);
  // Its first field has the focus.
  await eventually(() =>
    names()
      .nth(2)
      .evaluate((first) => first === document.activeElement),
  ).toBe(true);
  await page.keyboard.type("Bread");
  await shows("Item Bread.");
  await panel().getByRole("button", { name: "Move lines 3 up" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await eventually(() => email().innerText()).toMatch(/Bread\..*Tea\..*Jam\./s);
  await panel().getByRole("button", { name: "Remove lines 2" }).focus();
  await page.keyboard.press("Enter");
  await eventually(() => email().innerText()).not.toContain("Tea");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .toBe("Remove lines 2");
});

test("an entry of an object with free names is renamed where it stands, and not to a name that is taken", async () => {
  await open("facts");
  await panel().getByRole("button", { name: "Rename Eyes" }).click();
  await page.keyboard.type("Hair");
  await panel().getByText("“Hair” already exists.").waitFor();
  await page.keyboard.press("Escape");
  await panel().getByRole("button", { name: "Rename Eyes" }).click();
  await page.keyboard.type("Colour of eyes");
  await page.keyboard.press("Enter");
  await eventually(() => decodeURIComponent(page.url())).toContain('{"facts":{"Colour of eyes":"green","Hair":"red"}}');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .toBe("Rename Colour of eyes");
});

test("a date and time has its offset beside it, under words that are seen", async () => {
  await open("invoice");
  await panel().getByText("Offset from UTC").waitFor();
  await panel().getByRole("textbox", { name: "Offset from UTC" }).fill("+02:00");
  await eventually(() => decodeURIComponent(page.url())).toContain("2026-11-22T10:00:00+02:00");
});

test("JSON that is none says where, keeps the last email, and survives the form", async () => {
  order = await open("order");
  await panel().getByRole("radio", { name: "JSON" }).check();
  await editor().fill('{\n  "name": "Eve",\n  "lines": []\n}');
  await shows("Hello Eve!");
  await editor().fill('{\n  "name": "Joan",\n  "lines": [}\n}');
  const findings = panel().getByRole("region", { name: "JSON problems" });
  await findings.getByRole("button", { name: `Line 3, column 13 Expected a value, found "}".` }).waitFor();
  await shows("Hello Eve!");
  await panel().getByRole("radio", { name: "Form" }).check();
  await expect.poll(() => field("name (required)").isDisabled()).toBe(true);
  await panel().getByRole("button", { name: "Fix the JSON" }).click();
  await eventually(() => editor().innerText()).toContain('"lines": [}');
  // By the keyboard alone, a problem leads to its place.
  await findings.getByRole("button").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("]");
  await eventually(() => editor().innerText()).toContain('"lines": []');
  await findings.getByRole("button").waitFor();
  expect(await violations(page, "aside[aria-label=Variables]")).toEqual([]);
  // What is taken from the list brings its quotes and commas once.
  await editor().fill('{\n  "lines": []\n}');
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type('"');
  await page.getByRole("option", { name: /"name"/ }).waitFor();
  await page.keyboard.type("na");
  await page.getByRole("option", { name: /"name"/ }).click();
  await eventually(() => editor().innerText()).toMatch(/^\{\s+"name": "",\s+"lines": \[\]\s+\}$/);
  await editor().fill('{ "name": "Joan", "lines": [] }');
  await shows("Hello Joan!");
  await page.keyboard.press("Control+f");
  await panel().getByRole("textbox", { name: "Find" }).pressSequentially("n");
  await panel().getByText("3 found").waitFor();
  await page.keyboard.press("Enter");
  await panel().getByText("1 of 3").waitFor();
  await page.keyboard.press("Escape");
  await panel().getByRole("radio", { name: "Form" }).check();
  await expect.poll(() => field("name (required)").inputValue()).toBe("Joan");
});

test("a fixture is saved, and as a new one, with the keys alone and after saying what its contract becomes", async () => {
  order = await open("order");
  await field("name (required)").fill("Grace");
  await page.keyboard.press("ControlOrMeta+s");
  await eventually(() => read("fixtures/default.json")).toEqual({ ...ORDER, name: "Grace" });
  await eventually(() => page.url()).not.toContain("edited");
  await panel().getByRole("radio", { name: "JSON" }).check();
  await editor().fill('{ "name": "Joan", "lines": [], "note": "new" }');
  await shows("Hello Joan!");
  await page.keyboard.press("ControlOrMeta+Shift+s");
  const dialog = page.getByRole("dialog", { name: "Save as new fixture" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("No Lines");
  await dialog.getByText("such as no-lines").waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("no-lines");
  await page.keyboard.press("Enter");
  await dialog.getByText("note is new (string, optional).").waitFor();
  await page.keyboard.press("Enter");
  await eventually(() => page.url()).toContain("fixture=no-lines");
  expect(read("fixtures/no-lines.json")).toEqual({ name: "Joan", lines: [], note: "new" });
  await shows("Hello Joan!");
});

test("saving leaves the focus where it was: on its button, and in the field that was typed in", async () => {
  order = await open("order");
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await field("name (required)").fill("Grace");
  await panel().getByRole("button", { name: "Save", exact: true }).focus();
  await page.keyboard.press("Enter");
  await eventually(() => page.url()).not.toContain("edited");
  expect(await focused()).toBe("Save");
  await page.keyboard.press("Enter");
  await panel().getByRole("button", { name: "Reset", exact: true, disabled: true }).waitFor();

  for (const [view, given] of [
    [() => field("name (required)"), "Joan"],
    [editor, '{ "name": "Ida", "lines": [] }'],
  ] as const) {
    if (view === editor) await page.getByRole("treeitem", { name: "default" }).click();
    if (view === editor) await panel().getByRole("radio", { name: "JSON" }).check();
    await view().fill(given);
    await page.keyboard.press("ControlOrMeta+Shift+s");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("no-lines");
    await page.keyboard.press("Enter");
    await eventually(() => page.url()).toContain("fixture=no-lines");
    await eventually(() => page.url()).not.toContain("edited");
    await eventually(() => view().evaluate((each) => each === document.activeElement)).toBe(true);
    rmSync(at("fixtures/no-lines.json"));
  }
});

test("a preset puts the email under stress, and nothing is written", async () => {
  order = await open("order");
  await panel().getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name: "HTML in values" }).click();
  await shows("<b>Ada</b>");
  await panel().getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name: "Many items" }).click();
  await eventually(() => email().getByText("Item Tea.").count()).toBe(30);
  await shows("Hello Ada!");
  expect(read("fixtures/default.json")).toEqual(ORDER);
});

const choosePreset = async (name: string) => {
  await panel().getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name }).click();
};
const opacity = () =>
  page
    .locator("iframe")
    .first()
    .evaluate((frame) => getComputedStyle(frame).opacity);

test("what does not fill leaves what was there before, dimmed and with its cause, and never older edits", async () => {
  await open("invoice");
  await choosePreset("Many items");
  await shows("Total €60.00.");
  await panel().getByRole("button", { name: "Reset", exact: true }).click();
  await shows("Total €1.00.");
  await field("currency (required)").fill("E");
  const pane = page.getByRole("region", { name: "Pane 1" });
  await pane.getByText("currency: Expected a text like").waitFor();
  await eventually(opacity).toBe("0.45");
  await expect.poll(() => email().innerText()).toMatch(/^Total €1\.00\.\s+Tea, kg/);
  await page.getByRole("region", { name: "Envelope" }).getByText("€1.00", { exact: true }).waitFor();
  await field("currency (required)").fill("CHF");
  await shows("Total CHF 1.00.");
  await eventually(opacity).toBe("1");
  await expect.poll(() => pane.getByRole("status").count()).toBe(0);
});

test("a fixture that was never readable is not said to be what was there before", async () => {
  order = await open("order");
  writeFileSync(at("fixtures/no-lines.json"), '{ "name": ');
  await page.goto(`${preview.url}#/templates/${order}?fixture=no-lines`);
  const note = page.getByRole("region", { name: "Pane 1" }).getByRole("status");
  await note.getByText("This fixture can’t be used as it is.").waitFor();
  await note.getByText("no-lines.json, line 1").waitFor();
});

test("what only code may read is not called unused", async () => {
  const invoice = await open("invoice");
  await page.goto(`${preview.url}#/templates/${invoice}?bottom=variables`);
  const uses = page.getByRole("tabpanel", { name: /^Variables/ });
  await uses
    .getByRole("button", { name: /^lines\b.*html/ })
    .first()
    .waitFor();
  writeFileSync(
    inTemplate(invoice, "variables.ts"),
    INVOICE_VARIABLES.replace(
      "currency, at:",
      "currency, note: z.string().describe('As `at` has it.').optional(), at:",
    ),
  );
  await uses.getByRole("button", { name: /^note.*only by derive, if at all$/ }).waitFor();
  await panel().locator("code", { hasText: /^at$/ }).waitFor();
});

test("each preset keeps to what the schema allows, so that the email is filled", async () => {
  await open("invoice");
  await choosePreset("Right to left");
  await email().getByText(/[א-ي]/).first().waitFor();
  await choosePreset("HTML in values");
  await shows("<b>Tea</b>");
  await choosePreset("Long");
  await shows("Total €12.00.");
  await choosePreset("Empty");
  await eventually(() => email().innerText()).toMatch(/Total €1\.00\.\s+, kg\s+EUR/);
  await expect.poll(() => opacity()).toBe("1");
});

test("a preset, a removal and what was typed are undone and done again", async () => {
  order = await open("order");
  const undo = panel().getByRole("button", { name: "Undo" });
  await expect.poll(() => undo.isDisabled()).toBe(true);
  await field("name (required)").focus();
  await page.keyboard.press("End");
  await page.keyboard.type(" B");
  await shows("Hello Ada B!");
  await panel().getByRole("button", { name: "Remove lines 1" }).click();
  await eventually(() => email().innerText()).not.toContain("Tea");
  await choosePreset("HTML in values");
  await shows("<b>Jam</b>");
  await undo.click();
  await shows("Item Jam.");
  // The focus is on the button of another item now.
  await panel().getByRole("button", { name: "Remove lines 1" }).focus();
  await page.keyboard.press("Control+z");
  await shows("Item Tea.");
  await page.keyboard.press("Control+z");
  await shows("Hello Ada!");
  await expect.poll(() => undo.isDisabled()).toBe(true);
  await page.keyboard.press("Control+Shift+z");
  await page.keyboard.press("Control+Shift+z");
  await eventually(() => email().innerText()).not.toContain("Tea");
  await shows("Hello Ada B!");
});

test("keys and the palette undo, do again and reset what was edited, wherever the focus is", async () => {
  order = await open("order");
  const press = async (keys: string, shown: string) => {
    await page.getByRole("tree").getByRole("treeitem", { name: "Fixture default" }).focus();
    await page.keyboard.press(keys);
    await shows(shown);
  };
  await field("name (required)").fill("Grace");
  await shows("Hello Grace!");
  await press("Control+z", "Hello Ada!");
  await press("Control+Shift+z", "Hello Grace!");
  await press("Shift+u", "Hello Ada!");
  await page.keyboard.press("Shift+u");
  await page.getByText("There is nothing to reset").first().waitFor();
  await page.keyboard.press("?");
  const keys = await page.getByRole("dialog").locator("dt").allTextContents();
  expect(keys).toEqual(expect.arrayContaining(["Undo the last edit", "Redo the last edit", "Reset the variables"]));
  await page.keyboard.press("Escape");
  await open("facts");
  await panel().getByRole("button", { name: "Presets" }).click();
  const many = page.getByRole("menuitem", { name: /Many items/ });
  await many.getByText("No lists here").waitFor();
  await expect.poll(() => many.getAttribute("aria-disabled")).toBe("true");
  await page.keyboard.press("Escape");
});

test("in a field the browser undoes what was typed there, and then the form", async () => {
  order = await open("order");
  await choosePreset("HTML in values");
  await shows("<b>Ada</b>");
  await field("name (required)").focus();
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  await shows("{{{name}}}!");
  await page.keyboard.press("Control+z");
  await eventually(() => field("name (required)").inputValue()).not.toMatch(/!$/);
  await page.keyboard.press("Control+z");
  await shows("Hello Ada!");
});

test("edits that are saved nowhere come back with their fixture, which is marked meanwhile, also after a reload", async () => {
  order = await open("order");
  const marks = () => page.getByRole("tree").getByRole("img", { name: "Unsaved changes" }).count();
  const others = await marks();
  // What was saved, and what was reset.
  await field("name (required)").fill("Grace");
  await shows("Hello Grace!");
  await eventually(marks).toBe(others + 2);
  await expect
    .poll(() => page.getByRole("treeitem", { name: "Fixture default" }).getAttribute("aria-description"))
    .toBe("Unsaved changes");
  await panel().getByRole("button", { name: "Save", exact: true }).click();
  await eventually(() => read("fixtures/default.json")).toEqual({ ...ORDER, name: "Grace" });
  await eventually(marks).toBe(others);
  await field("name (required)").fill("Bo");
  await shows("Hello Bo!");
  await panel().getByRole("button", { name: "Reset", exact: true }).click();
  await shows("Hello Grace!");
  await eventually(() => page.url()).not.toContain("edited");

  const edited = await open("order");
  await field("name (required)").fill("Joan");
  await shows("Hello Joan!");
  await eventually(marks).toBe(others + 2);
  await open("order");
  await eventually(marks).toBe(others + 1);
  // The last letters before the page is loaded again.
  await field("name (required)").press("End");
  await field("name (required)").pressSequentially(" Hopper", { delay: 5 });
  await page.reload();
  await shows("Hello Ada Hopper!");
  await row(edited).click();
  await shows("Hello Joan!");
  await panel().getByRole("button", { name: "Undo" }).waitFor();
  await row(order).click();
  await shows("Hello Grace!");
  // Those of the two others.
  await eventually(marks).toBe(others + 2);
});
