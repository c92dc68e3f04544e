import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createClient } from "../../../src/api/client.js";
import { projectCommits } from "../../../src/cli/preview/commits.js";
import { type RunningService, startService } from "../../../src/service/index.js";
import { browser, violations } from "../browser.js";
import { mailAccess } from "../mail-access.js";
import { type Preview, PreviewedProject } from "../server/harness.js";

const KEY = "SHOP_VERSIONS_KEY";
const DOMAIN = "example.test";

const html = (words: string) =>
  `<!doctype html><html lang="en"><head><title>Hello</title></head><body><h1 style="color:#123456;opacity:0.5">${words}</h1></body></html>`;

const endings: (() => Promise<void>)[] = [];
const atEnd = (action: () => Promise<void>) => void endings.unshift(action);
let service: RunningService;
let preview: Preview;
let page: Page;
/** Hash of the last commit. */
let last: string;

beforeAll(async () => {
  vi.stubEnv(KEY, "local");
  service = await startService({ data: ":memory:", port: 0 });
  atEnd(() => service.close());
  const environments = { staging: { url: service.url, domain: DOMAIN, keyVariable: KEY } };
  const project = new PreviewedProject(
    {
      "lettershop.config.json": JSON.stringify({ environments }),
      "templates/hello/hello.html": html("Here for {{name}}"),
      "templates/hello/fixtures/default.json": '{ "name": "Ada" }',
      "templates/hello/fixtures/grace.json": '{ "name": "Grace" }',
      "templates/new.html": html("Nobody has it yet"),
    },
    atEnd,
  );
  project.commit("Begin");
  project.write({ "templates/hello/hello.html": html("Committed for {{name}} {{#more}}and more{{/more}}") });
  last = project.commit("Greet in another way");
  project.write({ "templates/hello/hello.html": html("Here for {{name}}") });
  await deploy("There for {{name}}");
  const commits = await projectCommits({ cwd: project.folder, config: undefined });
  const access = await mailAccess(project.folder, { atEnd });
  preview = await project.preview({ access: { ...access, ...(commits && { commits }) } });
  page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  atEnd(() => page.close());
}, 60_000);

afterAll(async () => {
  vi.unstubAllEnvs();
  for (const end of endings) await end();
});

beforeEach(() => open("hello?bottom=remote"));

async function deploy(words: string): Promise<void> {
  const client = createClient({ baseUrl: service.url, apiKey: "local" });
  await client.templates.create(DOMAIN, {
    name: "hello",
    subject: "Hello",
    html_body: html(words),
    text_body: `${words}, as text`,
  });
  await client.close();
}

const open = (address: string) => page.goto(`${preview.running.url}#/templates/${address}`);
const section = (number: number) => page.getByRole("region", { name: `Pane ${number}`, exact: true });
const pane = (number: number) => section(number).frameLocator("iframe[title]");
const hash = () => decodeURIComponent(new URL(page.url()).hash);
/** The version that a pane's bar names. */
const version = (number: number) =>
  section(number).getByRole("combobox", { name: "Version" }).locator("option:checked").last().textContent();
const run = async (command: string) => {
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Template, fixture, email or command" }).fill(command);
  await page.getByRole("option", { name: command, exact: true }).click();
};

test("the deployed version is shown next to the project's, with the same variables", async () => {
  await page.getByRole("button", { name: "Show next to this one: staging" }).click();
  await pane(1).getByText("Here for Ada").waitFor();
  await pane(2).getByText("There for Ada").waitFor();
  await expect.poll(hash).toContain("pane=800&pane=800,deployed:staging");
  expect([await version(1), await version(2)]).toEqual(["This project", "Deployed to staging"]);
  expect(await violations(page, "main")).toEqual([]);
  await section(2).getByRole("combobox", { name: "Fixture" }).selectOption("grace");
  await pane(2).getByText("There for Grace").waitFor();
});

test("a pane's version is chosen in its options, and its text body is that version's", async () => {
  await section(1).getByRole("button", { name: "Pane options" }).click();
  await page.getByRole("combobox", { name: "Version" }).selectOption("Deployed to staging");
  await pane(1).getByText("There for Ada").waitFor();
  await page.keyboard.press("Escape");
  await section(1).getByRole("button", { name: "Refresh the version on staging" }).click();
  await page.keyboard.press("4");
  await page.getByText("There for Ada, as text").waitFor();
  await page.keyboard.press("1");
});

test("a template that is not deployed to an environment is reported in its pane", async () => {
  await open("new?pane=800,deployed:staging");
  await section(1).getByText("new isn't deployed to staging.").waitFor();
});

test("a pane shows the email as a client renders it, even a deployed one, and says that this is an approximation", async () => {
  await section(1).getByRole("button", { name: "Pane options" }).click();
  await page.getByRole("combobox", { name: "As an email client shows it" }).selectOption("Outlook (Windows)");
  await section(1).getByText("as Outlook (Windows), approximately").waitFor();
  expect(await version(1)).toBe("This project");
  const title = pane(1).getByRole("heading", { level: 1 });
  await expect.poll(() => title.getAttribute("style")).toBe("color:#123456");
  expect(await title.textContent()).toBe("Here for Ada");
  await page.getByRole("dialog").getByRole("combobox", { name: "Version" }).selectOption("Deployed to staging");
  await pane(1).getByText("There for Ada").waitFor();
  await expect.poll(() => title.getAttribute("style")).toBe("color:#123456");
  await expect.poll(hash).toContain("pane=800,deployed:staging,client:outlook.windows");
  expect(await violations(page, "main")).toEqual([]);
  await page.keyboard.press("Escape");
});

test("commits are shown next to the project's version and next to each other, and each bar shows its version and fixture", async () => {
  await run("Compare with the last commit");
  await pane(1).getByText("Here for Ada").waitFor();
  await pane(2).getByText("Committed for Ada").waitFor();
  await expect.poll(hash).toContain(`pane=800&pane=800,commit:${last}`);
  expect(await version(1)).toBe("This project");
  expect(await version(2)).toMatch(new RegExp(`^Last commit: ${last} · .* · Greet in another way$`));
  await section(2).getByText("differs", { exact: true }).waitFor();
  expect(await violations(page, "main")).toEqual([]);

  await run("Compare two commits");
  await pane(1).getByText("Committed for Ada").waitFor();
  await pane(2).getByText("Here for Ada").waitFor();
  await section(2).getByText("same as this project").waitFor();
  expect(await version(2)).toMatch(/^[0-9a-f]+ · .* · Begin$/);
  await section(2).getByRole("combobox", { name: "Version" }).selectOption("Deployed to staging");
  await pane(2).getByText("There for Ada").waitFor();
  await expect.poll(hash).toContain(`pane=800,commit:${last}&pane=800,deployed:staging`);

  await run("Compare two fixtures");
  await pane(2).getByText("Committed for Grace").waitFor();
  expect(await section(2).getByRole("combobox", { name: "Fixture" }).inputValue()).toBe("grace");
});

test("a commit that can't be shown gives the reason in its pane", async () => {
  await open("new?pane=800,commit:deadbeef");
  await section(1).getByText("git can't find the commit").waitFor();
  expect(await version(1)).toBe("Commit deadbeef");
});
