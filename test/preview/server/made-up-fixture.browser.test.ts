import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { browser } from "../browser.js";
import { chromiumFile } from "../chromium.js";
import { html, PreviewedProject } from "./harness.js";

const file = "templates/hi/fixtures/default.json";

/** A React template as it comes from elsewhere: with variables, and no example of them. */
function component(body: string, more = ""): Record<string, string> {
  return {
    "templates/hi/hi.tsx": `${more}
export default function Hi({ name, items, url }) {
  return (
    <html lang="en"><head><title>Hi</title></head><body>${body}</body></html>
  );
}
export const subject = "For you";
`,
  };
}

async function templates({ folder }: PreviewedProject, ...args: readonly string[]) {
  const main = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
  const env = { ...process.env, CHROMIUM_PATH: await chromiumFile() };
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code, stderr };
}

const LIST =
  "<p>Hello {name}</p><ul>{items.map((item) => <li key={item.label}>{item.label}</li>)}</ul><a href={url}>x</a>";

const TYPED = {
  "templates/typed/typed.html": "<!doctype html><html><head><title>T</title></head><body>{{name}}</body></html>",
  "templates/typed/variables.ts": 'import { z } from "zod";\nexport default z.object({ name: z.string().max(2) });\n',
};

test("a React template without a fixture is shown with an example that can be saved", async () => {
  const project = new PreviewedProject(component(LIST));
  const preview = await project.preview();
  const events = await preview.events();
  const summary = await events.changed("hi");
  expect(summary).toMatchObject({ state: "compiled", fixtures: ["default"], brokenFixtures: ["default"] });

  await preview.running.workspace.settled();
  const { compiled, failure, fixtures } = await preview.template("hi");
  const input = {
    name: "name",
    items: [{ label: "label 1" }, { label: "label 2" }],
    url: "https://example.com/url",
  };
  expect(compiled?.html).toContain("{{#items}}");
  expect(failure).toBeUndefined();
  expect(fixtures).toMatchObject([{ name: "default", file, isMadeUp: true, input }]);
  expect(existsSync(project.path(file))).toBe(false);

  // It is still an error, and nothing for whoever takes over what compiled.
  expect((await preview.report("hi")).problems).toMatchObject([{ rule: "react-fixture", severity: "error" }]);
  expect((await preview.project()).templates[0]?.findings).toMatchObject({ error: 1 });
  const given: unknown[] = [];
  onTestFinished(preview.running.workspace.onCompiled((results) => given.push(...results)));
  expect(given).toEqual([]);

  const { items: _, ...fewer } = { ...input, name: "Ada" };
  const saved = await preview.write("PUT", "/api/templates/hi/fixtures/default", {
    input: { ...fewer, items: [{ label: "Tea" }] },
    overwrite: true,
  });
  expect(JSON.parse(saved.text)).toMatchObject({ isSaved: true, contractChanges: [], problems: [] });
  expect(JSON.parse(readFileSync(project.path(file), "utf8"))).toMatchObject({ name: "Ada" });
  for (;;) {
    await events.changed("hi");
    const [fixture] = (await preview.template("hi")).fixtures;
    if (fixture?.isMadeUp) continue;
    expect(fixture?.input).toMatchObject({ name: "Ada", items: [{ label: "Tea" }] });
    break;
  }
  await preview.running.workspace.settled();
  expect((await preview.project()).templates[0]?.findings?.error).toBe(0);
});

test("the page says that its values are made up, and Save writes them", async () => {
  const project = new PreviewedProject(component(LIST));
  const { running } = await project.preview();
  const page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  onTestFinished(() => page.close());
  await page.goto(`${running.url}#/templates/hi`);
  const panel = page.getByRole("complementary", { name: "Variables" });
  const note = panel.getByText(`save them as ${file}`);
  await note.waitFor();
  await page.frameLocator("iframe").getByText("label 2").waitFor();
  await panel.getByRole("textbox", { name: "name (required)", exact: true }).fill("Ada");
  await page.frameLocator("iframe").getByText("Hello Ada").waitFor();
  await panel.getByRole("button", { name: "Save", exact: true }).click();
  await note.waitFor({ state: "detached" });
  expect(JSON.parse(readFileSync(project.path(file), "utf8"))).toMatchObject({ name: "Ada" });
  await panel.getByRole("button", { name: "Save", exact: true, disabled: true }).waitFor();
});

test("a copy shows it and says that it does not compile; no picture is taken of it", async () => {
  const project = new PreviewedProject(component(LIST));
  const out = project.path("out");
  const copied = await templates(project, "preview", "build", "--out", out);
  expect(copied).toMatchObject({ code: 1, stderr: expect.stringContaining("Did not compile: hi") });
  expect(readFileSync(`${out}/data/templates/hi.js`, "utf8")).toContain("label 1");
  const shot = await templates(project, "preview", "shot", "--out", project.path("shots"));
  expect(shot).toMatchObject({ code: 1, stderr: expect.stringContaining("Did not compile: hi") });
});

test("a template in HTML, which compiles without a fixture, is shown with an example, too", async () => {
  const { [file]: _, ...files } = html("hi", "Hello {{name}}");
  const project = new PreviewedProject({ ...files, ...html("plain", "Nothing to fill"), ...TYPED });
  const preview = await project.preview();
  await preview.running.workspace.settled();
  const input = { name: "name" };
  expect((await preview.template("hi")).fixtures).toMatchObject([{ name: "default", file, isMadeUp: true, input }]);
  const [summary] = (await preview.project()).templates;
  expect(summary).toMatchObject({ subject: "For name", fixtures: ["default"] });
  expect(summary?.brokenFixtures).toBeUndefined();
  const saved = await preview.write("PUT", "/api/templates/hi/fixtures/default", { input, overwrite: true });
  expect(JSON.parse(saved.text)).toMatchObject({ isSaved: true, contractChanges: [] });
  // What a schema says of its variables is not to be guessed.
  expect((await preview.template("typed")).fixtures).toEqual([]);
});

test("where the example does not fit what a template does, the want of a fixture is all that is said", async () => {
  const project = new PreviewedProject({
    ...component("<p>{plain(name)}</p>", 'import { plain } from "strict";'),
    "node_modules/strict/package.json": '{ "name": "strict", "type": "module", "exports": "./index.js" }',
    "node_modules/strict/index.js":
      'export function plain(text) { if (text === "name") throw new Error("no such person"); return text; }',
  });
  const preview = await project.preview();
  await preview.running.workspace.settled();
  const { compiled, failure, fixtures } = await preview.template("hi");
  expect(compiled).toBeUndefined();
  expect(failure?.problems).toMatchObject([{ rule: "react-fixture" }]);
  expect(fixtures).toEqual([]);
});

test("beside a fixture that cannot be read none is made up", async () => {
  const project = new PreviewedProject({ ...component(LIST), [file]: '{ "name": ', ...html("other") });
  const preview = await project.preview();
  await preview.running.workspace.settled();
  const { fixtures } = await preview.template("hi");
  expect(fixtures.some(({ isMadeUp }) => isMadeUp)).toBe(false);
});
