import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { violations } from "../browser.js";
import {
  INVOICE_VARIABLES,
  ORDER,
  editor,
  email,
  field,
  inTemplate,
  open,
  page,
  panel,
  preview,
  shows,
  useVariablesPage,
} from "./variables-page.js";

let order: string;
const at = (file: string): string => inTemplate(order, file);
const read = (file: string): unknown => JSON.parse(readFileSync(at(file), "utf8"));

useVariablesPage();

test("typed values show in the email and in the URL until they are reset", async () => {
  order = await open("order");
  await field("name (required)").fill("Grace");
  await shows("Hello Grace!");
  await expect.poll(() => page.url()).toContain("Grace");
  await panel().getByRole("button", { name: "Reset", exact: true }).click();
  await shows("Hello Ada!");
  await expect.poll(() => page.url()).not.toContain("edited");
  expect(read("fixtures/default.json")).toEqual(ORDER);
});

test("a pane with its own fixture shows that fixture's edits too", async () => {
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

test("list items can be added, reordered and removed with the keyboard alone", async () => {
  order = await open("order");
  await panel().getByRole("button", { name: "Add an item" }).focus();
  await page.keyboard.press("Enter");
  const names = () => panel().getByRole("textbox", { name: "label (required)" });
  await expect.poll(() => names().count()).toBe(3);
  // The new item's first field has the focus.
  await expect
    .poll(() =>
      names()
        .nth(2)
        .evaluate((first) => first === document.activeElement),
    )
    .toBe(true);
  await page.keyboard.type("Bread");
  await shows("Item Bread.");
  await panel().getByRole("button", { name: "Move lines 3 up" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect.poll(() => email().innerText()).toMatch(/Bread\..*Tea\..*Jam\./s);
  await panel().getByRole("button", { name: "Remove lines 2" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => email().innerText()).not.toContain("Tea");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .toBe("Remove lines 2");
});

test("an entry of an object with arbitrary names is renamed in place, but not to a name that exists", async () => {
  await open("facts");
  await panel().getByRole("button", { name: "Rename Eyes" }).click();
  await page.keyboard.type("Hair");
  await panel().getByText('"Hair" already exists.').waitFor();
  await page.keyboard.press("Escape");
  await panel().getByRole("button", { name: "Rename Eyes" }).click();
  await page.keyboard.type("Colour of eyes");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => decodeURIComponent(page.url()))
    .toContain('{"facts":{"Colour of eyes":"green","Hair":"red"}}');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .toBe("Rename Colour of eyes");
});

test("a date and time has its offset next to it, with a visible label", async () => {
  await open("invoice");
  await panel().getByText("Offset from UTC").waitFor();
  await panel().getByRole("textbox", { name: "Offset from UTC" }).fill("+02:00");
  await expect.poll(() => decodeURIComponent(page.url())).toContain("2026-11-22T10:00:00+02:00");
});

test("invalid JSON shows where the error is, keeps the last email, and survives switching to the form", async () => {
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
  await expect.poll(() => editor().innerText()).toContain('"lines": [}');
  // With the keyboard alone, a problem leads to its position.
  await findings.getByRole("button").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("]");
  await expect.poll(() => editor().innerText()).toContain('"lines": []');
  await findings.getByRole("button").waitFor();
  expect(await violations(page, "aside[aria-label=Variables]")).toEqual([]);
  // A completion adds quotes and commas exactly once.
  await editor().press("Control+a");
  await page.keyboard.insertText('{\n  "lines": []\n}');
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type('"');
  await page.getByRole("option", { name: /"name"/ }).waitFor();
  await page.keyboard.type("na");
  await page.getByRole("option", { name: /"name"/ }).click();
  await expect.poll(() => editor().innerText()).toMatch(/^\{\s+"name": "",\s+"lines": \[\]\s+\}$/);
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

test("a fixture is saved, and saved as a new one, by shortcuts alone and after showing how the contract changes", async () => {
  order = await open("order");
  await field("name (required)").fill("Grace");
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(() => read("fixtures/default.json")).toEqual({ ...ORDER, name: "Grace" });
  await expect.poll(() => page.url()).not.toContain("edited");
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
  await expect.poll(() => page.url()).toContain("fixture=no-lines");
  expect(read("fixtures/no-lines.json")).toEqual({ name: "Joan", lines: [], note: "new" });
  await shows("Hello Joan!");
});

test("saving keeps the focus: on its button, and in the field that was edited", async () => {
  order = await open("order");
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await field("name (required)").fill("Grace");
  await panel().getByRole("button", { name: "Save", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).not.toContain("edited");
  expect(await focused()).toBe("Save");
  await page.keyboard.press("Enter");
  await panel().getByRole("button", { name: "Reset", exact: true, disabled: true }).waitFor();

  for (const [view, value] of [
    [() => field("name (required)"), "Joan"],
    [editor, '{ "name": "Ida", "lines": [] }'],
  ] as const) {
    if (view === editor) await page.getByRole("treeitem", { name: "default" }).click();
    if (view === editor) await panel().getByRole("radio", { name: "JSON" }).check();
    await view().fill(value);
    await page.keyboard.press("ControlOrMeta+Shift+s");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("no-lines");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain("fixture=no-lines");
    await expect.poll(() => page.url()).not.toContain("edited");
    await expect.poll(() => view().evaluate((each) => each === document.activeElement)).toBe(true);
    rmSync(at("fixtures/no-lines.json"));
  }
});

test("a fixture that was never readable does not claim to show an older version", async () => {
  order = await open("order");
  writeFileSync(at("fixtures/no-lines.json"), '{ "name": ');
  await page.goto(`${preview.url}#/templates/${order}?fixture=no-lines`);
  const note = page.getByRole("region", { name: "Pane 1" }).getByRole("status");
  await note.getByText("This fixture can't be used as it is.").waitFor();
  await note.getByText("no-lines.json, line 1").waitFor();
});

test("variables that only code may read are not called unused", async () => {
  const invoice = await open("invoice");
  await page.goto(`${preview.url}#/templates/${invoice}?bottom=variables`);
  const uses = page.getByRole("tabpanel", { name: /^Variables/ });
  await uses
    .getByRole("button", { name: /^lines\b.*HTML/ })
    .first()
    .waitFor();
  writeFileSync(
    inTemplate(invoice, "variables.ts"),
    INVOICE_VARIABLES.replace(
      "currency, at:",
      "currency, note: z.string().describe('As `at` has it.').optional(), at:",
    ),
  );
  await uses.getByRole("button", { name: /^note.*maybe used by derive$/ }).waitFor();
  await panel().locator("code", { hasText: /^at$/ }).waitFor();
});

test("after a dialog is closed, typed text arrives where the focus was, at its caret", async () => {
  order = await open("order");
  const palette = page.getByRole("dialog", { name: "Go to a template or run a command" });
  const hasFocus = (input: Locator) => input.evaluate((element) => element === document.activeElement);
  const closePalette = async (focused: Locator) => {
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").waitFor();
    await page.keyboard.type("nothing");
    await page.keyboard.press("Escape");
    await palette.waitFor({ state: "hidden" });
    // A user types later than the frame in which the focus returns.
    await expect.poll(() => hasFocus(focused)).toBe(true);
  };
  await field("name (required)").click();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await closePalette(field("name (required)"));
  await page.keyboard.type("nn");
  await shows("Hello Annda!");
  await page.keyboard.press("Control+Shift+s");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => hasFocus(field("name (required)"))).toBe(true);
  await page.keyboard.type("e");
  await shows("Hello Anneda!");
  await panel().getByRole("radio", { name: "JSON" }).check();
  // The editor may still be laid out while it is clicked.
  const line = async () => {
    await editor().getByText("Anneda").click();
    return editor().locator(".cm-activeLine").textContent();
  };
  await expect.poll(line).toContain("Anneda");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await closePalette(editor());
  await page.keyboard.type("!");
  await shows("Hello Anneda!!");
});

test("a new entry has a value that the schema allows, and is undone in one step", async () => {
  await open("invoice");
  const count = panel().getByRole("textbox", { name: "count" });
  await panel().getByRole("button", { name: "count" }).click();
  await expect.poll(() => count.inputValue()).toBe("1");
  await page.keyboard.press("Control+z");
  await expect.poll(() => count.count()).toBe(0);
});
