import { rename } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { starterFiles } from "../../../src/cli/scaffold/starters.js";
import type { PreviewAccess } from "../../../src/preview/server/preview-access.js";
import type { RunningPreview } from "../../../src/preview/server/start.js";
import { browser } from "../browser.js";
import { PreviewedProject } from "../server/harness.js";

const html = (subject: string, preheader: string, words: string) =>
  `<!doctype html><html lang="en"><head><title>${subject}</title></head><body><div style="display:none">${preheader}</div><p>${words}</p></body></html>`;

const project = new PreviewedProject({}, afterAll);
const write = (file: string, text: string) => project.write({ [file]: text });
let preview: RunningPreview;
let page: Page;

/** An environment in which everything that is compiled here is deployed. */
const access: PreviewAccess = {
  environments: async () => [],
  remote: {
    reports: async () => [{ environment: "staging", state: "unchanged", changes: [] }],
    deployed: async () => undefined,
  },
};

const row = (name: string) => page.getByRole("tree").getByRole("treeitem", { name });
const view = (address: string) => page.goto(`${preview.url}#/templates/${address}`);

beforeAll(async () => {
  write("package.json", '{ "name": "coffee-shop" }');
  write("lettershop.config.json", "{}");
  write(
    "templates/order-shipped.html",
    html("Your order is on its way", "It left our warehouse.", "A parcel of espresso."),
  );
  write("templates/receipt/receipt.html", html("Receipt for {{name}}", "CHF 12.40 paid.", "With thanks."));
  write("templates/receipt/fixtures/default.json", '{ "name": "Ada" }');
  preview = (await project.preview({ access })).running;
  page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
});

beforeEach(async () => {
  await view("receipt");
  await row("receipt").waitFor();
});

afterAll(async () => {
  await page.close();
});

test("renaming the open template on disk shows it under its new name, and nothing keeps loading", async () => {
  write("templates/digest/digest.html", html("Your week", "Seven days.", "Much happened."));
  await view("digest?bottom=problems");
  await page.getByRole("region", { name: "Envelope" }).getByText("Your week").waitFor();
  await rename(project.path("templates/digest"), project.path("templates/digest2"));
  await page.getByText('There is no template "digest"').waitFor();
  await page.getByTestId("email").getByText('The template "digest2" has no body').waitFor();
  await page.getByText("Nothing to show").waitFor();
  await expect.poll(() => page.getByRole("status").filter({ hasText: "Loading" }).count()).toBe(0);
  await expect.poll(() => page.getByRole("button", { name: "Variables", exact: true }).isDisabled()).toBe(true);
  project.remove("templates/digest2");
});

test("deleting the current fixture is reported, and the URL and the list follow", async () => {
  write("templates/receipt/fixtures/second.json", '{ "name": "Bo" }');
  await view("receipt");
  await page.getByRole("treeitem", { name: "Fixture second" }).click();
  await page.getByRole("region", { name: "Envelope" }).getByText("Receipt for Bo").waitFor();
  project.remove("templates/receipt/fixtures/second.json");
  await page.getByRole("status").getByText('Fixture "second" no longer exists.').waitFor({ state: "attached" });
  await expect.poll(() => page.evaluate(() => location.hash)).toBe("#/templates/receipt");
  await page.getByRole("treeitem", { name: "Fixture default", selected: true }).waitFor();
});

test("a compile error is shown with the lines around it, and disappears when a save fixes it", async () => {
  await view("order-shipped");
  await page.getByRole("region", { name: "Envelope" }).getByText("Your order is on its way").waitFor();
  write("templates/order-shipped.html", html("Your order is on its way", "It left.", "{{#open}}never closed"));
  const failure = page.getByRole("alert", { name: "Compile error" });
  await failure.getByText("{{#open}}").first().waitFor();
  await row("order-shipped").getByText("Broken").waitFor();
  await page.getByRole("region", { name: "Envelope" }).getByText("Your order is on its way").waitFor();
  write("templates/order-shipped.html", html("It is on its way", "It left.", "A parcel of espresso."));
  await page.getByRole("region", { name: "Envelope" }).getByText("It is on its way").waitFor();
  await expect.poll(() => failure.count()).toBe(0);
});

test("a broken template without a subject is not reported as one that never compiled", async () => {
  const file = "templates/notice.html";
  write(file, "<!doctype html><html><body><p>A notice.</p></body></html>");
  const subjects = page.getByRole("button", { name: "Subjects in the list" });
  await subjects.click();
  await row("notice").getByText("No subject").waitFor();
  write(file, "<!doctype html><html><body><p>{{#open}}A notice.</p></body></html>");
  await row("notice").getByText("Broken").waitFor();
  await row("notice").getByText("No subject").waitFor();
  project.remove(file);
  await row("notice").waitFor({ state: "detached" });
  await subjects.click();
});

test("an invalid configuration is reported above everything, and the templates stay", async () => {
  write("lettershop.config.json", '{ "asets": {} }');
  const bar = page.getByRole("status").filter({ hasText: "asets" });
  await bar.getByRole("button", { name: "Show it" }).click();
  await page.getByRole("dialog").getByText("asets").first().waitFor();
  await page.keyboard.press("Escape");
  await row("receipt").waitFor();
  write("lettershop.config.json", "{}");
  await bar.waitFor({ state: "detached" });
});

test("a stopped server is reported, and the page reconnects when it is back and marks earlier comparisons as out of date", async () => {
  await view("receipt?bottom=remote");
  const remote = page.getByRole("tabpanel", { name: "Remote" });
  await remote.getByText("compared with the one compiled here").waitFor();
  await page.getByRole("button", { name: "Save as…" }).waitFor();
  await preview.close();
  const gone = page.getByText("The preview server stopped.");
  await gone.waitFor();
  await row("receipt").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Always show remote images");
  await page.keyboard.press("Enter");
  // Announced, but visible in only one place.
  await page.getByRole("status").filter({ hasText: "isn't responding" }).first().waitFor({ state: "attached" });
  expect(await page.locator("[popover]").filter({ hasText: "isn't responding" }).count()).toBe(0);
  await page.getByRole("button", { name: "Save as…" }).click();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("alert").getByText("templates preview", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  write("templates/welcome.html", html("Welcome", "Good to see you.", "Hello."));
  preview = (await project.preview({ access, port: preview.port })).running;
  await gone.waitFor({ state: "detached" });
  await row("welcome").waitFor();
  await remote.getByText("This may be out of date.").waitFor();
  await remote.getByRole("button", { name: "Refresh" }).click();
  await remote.getByText("compared with the one compiled here").waitFor();
  project.remove("templates/welcome.html");
  await row("welcome").waitFor({ state: "detached" });
});

test("shows above the last version that compiling takes long", async () => {
  write("templates/receipt/variables.ts", "setInterval(() => {}, 1_000);\nawait new Promise(() => {});\n");
  await row("receipt").getByText("Compiling…").waitFor();
  await row("receipt").click();
  await page.getByRole("status").getByText("Compiling receipt").waitFor();
  await page
    .getByRole("status")
    .getByText("Compiling receipt is taking long and will be stopped after 30 seconds")
    .waitFor();
  await page.frameLocator("iframe[title]").first().getByText("With thanks.").waitFor();
  project.remove("templates/receipt/variables.ts");
  await page
    .getByText(/^Compiling/)
    .first()
    .waitFor({ state: "detached" });
});

test("a project with an invalid configuration is not called empty; once it is fixed, the page explains how to add a first template and shows it", async () => {
  const young = new PreviewedProject({
    "package.json": '{ "name": "new-shop" }',
    "lettershop.config.ts": "export default {\n  locale: ,\n};\n",
  });
  const other = (await young.preview({ access })).running;
  await page.goto(other.url);
  const main = page.getByRole("main");
  await main.getByText("new-shop can't be shown yet").waitFor();
  await main.getByText("lettershop.config.ts:2").waitFor();
  expect(await main.textContent()).not.toContain("no templates yet");

  young.write({ "lettershop.config.ts": 'export default { locale: "de-CH" };\n' });
  await page.getByText("new-shop has no templates yet").waitFor();
  await page.getByText("npx lettershop new welcome --mjml").waitFor();
  expect(await main.textContent(), "a missing folder is not a problem").not.toContain("There is no");
  // The page lists the starters that the command writes.
  await page.getByText("Starter templates: welcome, receipt, sign-in code and failed payment").waitFor();
  const starters = [...(await starterFiles(["html", "mjml"])).keys()].map((file) => path.dirname(file));
  expect(new Set(starters.filter((name) => /^[a-z-]+$/.test(name)))).toEqual(
    new Set(["welcome", "receipt", "sign-in-code", "payment-failed"]),
  );

  young.write({ "templates/hello.html": html("Hello", "A first one.", "Hello.") });
  await row("hello").waitFor();
  await page.getByRole("region", { name: "Envelope" }).getByText("A first one.").waitFor();
});
