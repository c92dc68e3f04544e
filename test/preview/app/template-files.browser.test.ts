import { existsSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { templateFiles } from "../../../src/cli/preview/template-files.js";
import { browser, violations } from "../browser.js";
import { html, type Preview, PreviewedProject } from "../server/harness.js";

const shop = new PreviewedProject({ "lettershop.config.json": "{}" }, afterAll);
const opened: string[] = [];
let preview: Preview;
let page: Page;

const hash = () => page.evaluate(() => window.location.hash);
const row = (name: string) => page.getByRole("treeitem", { name });
const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const email = () => page.frameLocator("iframe[title]").first();

const start = (canChange: boolean) => {
  const templates = templateFiles(() => ({ folder: shop.folder, roots: [shop.path("templates")] }));
  const openEditor = async (file: string) => void opened.push(file);
  return shop.preview({ access: { environments: async () => [], ...(canChange && { templates, openEditor }) } });
};

const runCommand = async (title: string) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Template, fixture, email or command" }).fill(title);
  // Not by Enter: a dialog that has just closed may still move the focus.
  await page.getByRole("option", { name: title }).click();
};

beforeAll(async () => {
  preview = await start(true);
  page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  await page.goto(preview.running.url);
});

afterAll(() => page.close());

test("an empty project gets its first template, which opens, and its source is a click away", async () => {
  await page.getByText("application has no templates yet").waitFor();
  await page.getByRole("button", { name: "New template" }).click();
  await page.keyboard.press("Enter");
  await dialog("New template").getByText("Enter a name, such as order-shipped.").waitFor();
  await page.keyboard.type("Order");
  const name = dialog("New template").getByRole("textbox", { name: "Name" });
  await expect
    .poll(() =>
      name.evaluate((field) => document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent),
    )
    .toBe(
      '"Order" is not a valid template name. Use lower-case letters, digits, - and _, beginning with a letter or digit.',
    );
  expect(await violations(page, "dialog[open]")).toEqual([]);
  await name.fill("sign-in");
  await dialog("New template").getByLabel("Engine").selectOption("HTML");
  await dialog("New template").getByLabel("Starter").selectOption("Sign in code");
  await name.press("Enter");
  await dialog("sign-in created").getByText("templates/sign-in/sign-in.html").waitFor();
  await dialog("sign-in created").getByText("templates/_shared/head.html").waitFor();
  expect(await violations(page, "dialog[open]")).toEqual([]);
  await email().getByText("Your sign-in code").waitFor();
  expect(await hash()).toContain("#/templates/sign-in");
  await page.keyboard.press("Enter");
  await expect.poll(() => opened).toEqual([shop.path("templates/sign-in/sign-in.html")]);
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

test("the list's button adds another template, and the page lists the packages to install", async () => {
  await page.getByRole("button", { name: "New template" }).click();
  await page.keyboard.type("sign-in");
  await dialog("New template").getByText('A template named "sign-in" already exists.').waitFor();
  await page.keyboard.type("-react");
  await dialog("New template").getByLabel("Engine").selectOption("React Email");
  await dialog("New template").getByRole("button", { name: "Create" }).click();
  const command = dialog("sign-in-react created").getByText(/^npm install .*@react-email\/components/);
  await command.waitFor();
  await dialog("sign-in-react created").getByRole("button", { name: "Copy command" }).waitFor();
  await dialog("sign-in-react created").getByRole("button", { name: "Done" }).click();
  await row("sign-in-react").waitFor();
});

test("conflicts are reported in the dialog", async () => {
  shop.write({ "templates/blocked": "A file." });
  await page.getByRole("button", { name: "New template" }).click();
  await page.keyboard.type("blocked");
  await page.keyboard.press("Enter");
  await dialog("New template").getByRole("alert").getByText("templates/blocked already exists").waitFor();
  await page.keyboard.press("Escape");
});

test("renaming keeps the view and its edits, and other windows report that the old name no longer exists", async () => {
  shop.write({ ...html("paid"), "templates/paid/fixtures/long.json": '{ "name": "Augusta" }' });
  await row("paid").click();
  await row("Fixture long").click();
  const field = page.getByRole("complementary", { name: "Variables" }).getByRole("textbox", { name: "name" });
  await expect.poll(() => field.inputValue()).toBe("Augusta");
  await field.fill("Edited");
  await email().getByText("Hello Edited").waitFor();
  const other = await (await browser()).newPage();
  await other.goto(`${preview.running.url}#/templates/paid`);
  await other.getByRole("treeitem", { name: "paid" }).waitFor();

  await runCommand("Rename template…");
  await dialog("Rename paid").getByRole("textbox", { name: "Name" }).fill("order-paid");
  expect(await violations(page, "dialog[open]")).toEqual([]);
  // A dialog that was closed earlier may report it only now.
  await page.evaluate(() => {
    for (const closed of document.querySelectorAll("dialog:not([open])")) closed.dispatchEvent(new Event("close"));
  });
  await page.keyboard.press("Enter");
  await expect.poll(hash).toMatch(/^#\/templates\/order-paid\?fixture=long.*edited=/);
  await email().getByText("Hello Edited").waitFor();
  await page.getByRole("status").getByText("Renamed to order-paid").waitFor({ state: "attached" });
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  expect(readFileSync(shop.path("templates/order-paid/template.json"), "utf8")).toContain('"renamedFrom": "paid"');
  expect(existsSync(shop.path("templates/paid"))).toBe(false);
  await other.getByText('There is no template "paid"').waitFor();
  await other.close();

  await runCommand("Rename template…");
  await dialog("Rename order-paid").getByRole("textbox", { name: "Name" }).fill("receipt");
  await page.keyboard.press("Enter");
  const message = dialog("Renamed to receipt");
  await message.getByText('Its template.json already has another previous name: "paid".').waitFor();
  await message.getByText('"renamedFrom": "order-paid"').waitFor();
  await message.getByRole("button", { name: "Copy line" }).waitFor();
  expect(await violations(page, "dialog[open]")).toEqual([]);
  await expect.poll(hash).toContain("#/templates/receipt?fixture=long");
  await message.getByRole("button", { name: "Done" }).click();
});

test("the palette opens the template's body in the editor", async () => {
  opened.length = 0;
  await runCommand("Open in editor");
  await expect.poll(() => opened).toEqual([shop.path("templates/receipt/receipt.html")]);
});

test("none of this is offered if the preview can't do it", async () => {
  const reader = await start(false);
  await page.goto(`${reader.running.url}#/templates/receipt`);
  await row("receipt").waitFor();
  expect(await page.getByRole("button", { name: "New template" }).count()).toBe(0);
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Template, fixture, email or command" });
  for (const title of ["New template…", "Rename template…", "Open in editor"]) {
    await field.fill(title);
    await expect.poll(() => page.getByRole("option", { name: title }).count()).toBe(0);
  }
});
