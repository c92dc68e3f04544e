import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { violations } from "../browser.js";
import {
  ORDER,
  email,
  field,
  inTemplate,
  open,
  page,
  panel,
  preview,
  row,
  shows,
  useVariablesPage,
} from "./variables-page.js";

let order: string;
const at = (file: string): string => inTemplate(order, file);
const read = (file: string): unknown => JSON.parse(readFileSync(at(file), "utf8"));

const choosePreset = async (name: string) => {
  await panel().getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name }).click();
};

useVariablesPage();

test("a preset stresses the email, and nothing is written", async () => {
  order = await open("order");
  await choosePreset("HTML in values");
  await shows("<b>Ada</b>");
  await choosePreset("60 items");
  await expect.poll(() => email().getByText("Item Tea.").count()).toBe(30);
  await shows("Hello Ada!");
  expect(read("fixtures/default.json")).toEqual(ORDER);
});

test("the number of items can be chosen and is remembered", async () => {
  await open("order");
  const items = () =>
    email()
      .getByText(/^Item /)
      .count();
  await choosePreset("Custom number of items…");
  const dialog = page.getByRole("dialog", { name: "Number of items" });
  const number = dialog.getByRole("spinbutton", { name: "Items in each list" });
  await expect.poll(() => number.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type("0");
  await dialog.getByText("Enter a number from 1 to 1,000.").waitFor();
  expect(await violations(page, "dialog")).toEqual([]);
  await number.fill("7");
  await page.keyboard.press("Enter");
  await expect.poll(items).toBe(7);
  await expect.poll(() => dialog.count()).toBe(0);

  await open("order");
  await expect.poll(items).toBe(2);
  await page.reload();
  await shows("Hello Ada!");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("preset 7 items");
  await page.keyboard.press("Enter");
  await expect.poll(items).toBe(7);
  await choosePreset("Custom number of items…");
  await number.fill("60");
  await page.keyboard.press("Enter");
  await expect.poll(items).toBe(60);
});

const opacity = () =>
  page
    .locator("iframe")
    .first()
    .evaluate((frame) => getComputedStyle(frame).opacity);

test("variables that can't be filled leave the previous email, dimmed and with the reason, but never older edits", async () => {
  await open("invoice");
  await choosePreset("60 items");
  await shows("Total €60.00.");
  await panel().getByRole("button", { name: "Reset", exact: true }).click();
  await shows("Total €1.00.");
  await field("currency (required)").fill("E");
  const pane = page.getByRole("region", { name: "Pane 1" });
  await pane.getByText("currency: Expected a string that matches").waitFor();
  await expect.poll(opacity).toBe("0.45");
  await expect.poll(() => email().innerText()).toMatch(/^Total €1\.00\.\s+Tea, kg/);
  await page.getByRole("region", { name: "Envelope" }).getByText("€1.00", { exact: true }).waitFor();
  await field("currency (required)").fill("CHF");
  await shows("Total CHF 1.00.");
  await expect.poll(opacity).toBe("1");
  await expect.poll(() => pane.getByRole("status").count()).toBe(0);
});

test("each preset stays within the schema, so that the email is filled", async () => {
  await open("invoice");
  await choosePreset("Right to left");
  await email().getByText(/[א-ي]/).first().waitFor();
  await choosePreset("HTML in values");
  await shows("<b>Tea</b>");
  await choosePreset("Long");
  await shows("Total €12.00.");
  await choosePreset("Empty");
  await expect.poll(() => email().innerText()).toMatch(/Total €1\.00\.\s+, kg\s+EUR/);
  await expect.poll(() => opacity()).toBe("1");
});

test("a preset, a removal and typed text can be undone and redone", async () => {
  order = await open("order");
  const undo = panel().getByRole("button", { name: "Undo" });
  await expect.poll(() => undo.isDisabled()).toBe(true);
  await field("name (required)").focus();
  await page.keyboard.press("End");
  await page.keyboard.type(" B");
  await shows("Hello Ada B!");
  await panel().getByRole("button", { name: "Remove lines 1" }).click();
  await expect.poll(() => email().innerText()).not.toContain("Tea");
  await choosePreset("HTML in values");
  await shows("<b>Jam</b>");
  await undo.click();
  await shows("Item Jam.");
  // The focus has moved to the button of another item.
  await panel().getByRole("button", { name: "Remove lines 1" }).focus();
  await page.keyboard.press("Control+z");
  await shows("Item Tea.");
  await page.keyboard.press("Control+z");
  await shows("Hello Ada!");
  await expect.poll(() => undo.isDisabled()).toBe(true);
  await page.keyboard.press("Control+Shift+z");
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(() => email().innerText()).not.toContain("Tea");
  await shows("Hello Ada B!");
});

test("shortcuts and the palette undo, redo and reset edits, wherever the focus is", async () => {
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
  const many = page.getByRole("menuitem", { name: /60 items/ });
  await many.getByText("No lists here").waitFor();
  await expect.poll(() => many.getAttribute("aria-disabled")).toBe("true");
  await page.keyboard.press("Escape");
});

test("in a field the browser undoes what was typed there, then the form undoes the rest", async () => {
  order = await open("order");
  await choosePreset("HTML in values");
  await shows("<b>Ada</b>");
  await field("name (required)").focus();
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  await shows("{{{name}}}!");
  await page.keyboard.press("Control+z");
  await expect.poll(() => field("name (required)").inputValue()).not.toMatch(/!$/);
  await page.keyboard.press("Control+z");
  await shows("Hello Ada!");
});

test("unsaved edits come back with their fixture, which is marked meanwhile, even after a reload", async () => {
  order = await open("order");
  const marks = () => page.getByRole("tree").getByRole("img", { name: "Unsaved changes" }).count();
  const others = await marks();
  // Saved or reset edits.
  await field("name (required)").fill("Grace");
  await shows("Hello Grace!");
  await expect.poll(marks).toBe(others + 2);
  await expect
    .poll(() => page.getByRole("treeitem", { name: "Fixture default" }).getAttribute("aria-description"))
    .toBe("Unsaved changes");
  await panel().getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => read("fixtures/default.json")).toEqual({ ...ORDER, name: "Grace" });
  await expect.poll(marks).toBe(others);
  await field("name (required)").fill("Bo");
  await shows("Hello Bo!");
  await panel().getByRole("button", { name: "Reset", exact: true }).click();
  await shows("Hello Grace!");
  await expect.poll(() => page.url()).not.toContain("edited");

  const edited = await open("order");
  await field("name (required)").fill("Joan");
  await shows("Hello Joan!");
  await expect.poll(marks).toBe(others + 2);
  await open("order");
  await expect.poll(marks).toBe(others + 1);
  // The last letters before the reload.
  await field("name (required)").press("End");
  await field("name (required)").pressSequentially(" Hopper", { delay: 5 });
  await page.reload();
  await shows("Hello Ada Hopper!");
  await row(edited).click();
  await shows("Hello Joan!");
  await panel().getByRole("button", { name: "Undo" }).waitFor();
  await row(order).click();
  await shows("Hello Grace!");
  // The edits of the other two.
  await expect.poll(marks).toBe(others + 2);
});

test("edits that are too large for a link stay out of the URL, and are restored after a reload and after Back", async () => {
  order = await open("order");
  const long = "Ada".repeat(3000);
  await field("name (required)").fill(`${long} the first`);
  await shows("the first!");
  await panel().getByRole("button", { name: "Save", exact: true, disabled: false }).waitFor();
  await expect.poll(() => page.url().length).toBeLessThan(200);
  await page.reload();
  await shows("the first!");
  // They are stored with the history entry a moment after they are shown.
  await expect.poll(() => page.evaluate(() => typeof history.state)).toBe("string");
  await page.goto(`${preview.url}#/templates/${order}?bottom=size`);
  await shows("Hello Ada!");
  await page.goBack();
  await shows("the first!");
  await page.context().grantPermissions(["clipboard-write"]);
  await row(order).focus();
  await page.keyboard.press("Shift+l");
  await page.getByText("too large").first().waitFor();
  await panel().getByRole("button", { name: "Reset", exact: true }).click();
  await shows("Hello Ada!");
});
