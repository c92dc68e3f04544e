import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { browser } from "../browser.js";
import { html, type Preview, PreviewedProject } from "./harness.js";

const fixtureOf = (name: string) => `templates/${name}/fixtures/default.json`;

/** A React template from another project: with variables and without an example of them. */
function component(name: string, body: string, more = ""): Record<string, string> {
  return {
    [`templates/${name}/${name}.tsx`]: `${more}
export default function Hi({ name, items, url }) {
  return (
    <html lang="en"><head><title>Hi</title></head><body>${body}</body></html>
  );
}
export const subject = "For you";
`,
  };
}

const LIST =
  "<p>Hello {name}</p><ul>{items.map((item) => <li key={item.label}>{item.label}</li>)}</ul><a href={url}>x</a>";

const TYPED = {
  "templates/typed/typed.html": "<!doctype html><html><head><title>T</title></head><body>{{name}}</body></html>",
  "templates/typed/variables.ts": 'import { z } from "zod";\nexport default z.object({ name: z.string().max(2) });\n',
};

const { [fixtureOf("plain")]: _fixture, ...plain } = html("plain", "Hello {{name}}");

const project = new PreviewedProject(
  {
    ...component("list", LIST),
    ...component("shown", LIST),
    ...component("strict", "<p>{plain(name)}</p>", 'import { plain } from "strict";'),
    "node_modules/strict/package.json": '{ "name": "strict", "type": "module", "exports": "./index.js" }',
    "node_modules/strict/index.js":
      'export function plain(text) { if (text === "name") throw new Error("no such person"); return text; }',
    ...component("broken", LIST),
    [fixtureOf("broken")]: '{ "name": ',
    ...plain,
    ...html("empty", "Nothing to fill"),
    ...TYPED,
  },
  afterAll,
);
let preview: Preview;

const summaryOf = async (name: string) => (await preview.project()).templates.find((each) => each.name === name);

beforeAll(async () => {
  preview = await project.preview();
  await preview.running.workspace.settled();
});

test("a React template without a fixture is shown with an example that can be saved", async () => {
  const summary = await summaryOf("list");
  expect(summary).toMatchObject({ state: "compiled", fixtures: ["default"], brokenFixtures: ["default"] });
  const { compiled, failure, fixtures } = await preview.template("list");
  const file = fixtureOf("list");
  const input = {
    name: "name",
    items: [{ label: "label 1" }, { label: "label 2" }],
    url: "https://example.com/url",
  };
  expect(compiled?.html).toContain("{{#items}}");
  expect(failure).toBeUndefined();
  expect(fixtures).toMatchObject([{ name: "default", file, isMadeUp: true, input }]);
  expect(existsSync(project.path(file))).toBe(false);

  // The missing fixture is still an error, and users of compile results do not receive it.
  expect((await preview.report("list")).problems).toMatchObject([{ rule: "react-fixture", severity: "error" }]);
  expect(summary?.findings).toMatchObject({ error: 1 });
  const received: string[] = [];
  onTestFinished(preview.running.workspace.onCompiled((results) => received.push(...results.map(({ name }) => name))));
  expect(received).not.toContain("list");
  expect(received).toContain("empty");

  const events = await preview.events();
  const { items: _, ...fewer } = { ...input, name: "Ada" };
  const saved = await preview.write("PUT", "/api/templates/list/fixtures/default", {
    input: { ...fewer, items: [{ label: "Tea" }] },
    overwrite: true,
  });
  expect(JSON.parse(saved.text)).toMatchObject({ isSaved: true, contractChanges: [], problems: [] });
  expect(JSON.parse(readFileSync(project.path(file), "utf8"))).toMatchObject({ name: "Ada" });
  for (;;) {
    const [fixture] = (await preview.template("list")).fixtures;
    if (fixture?.isMadeUp) {
      await events.changed("list");
      continue;
    }
    expect(fixture?.input).toMatchObject({ name: "Ada", items: [{ label: "Tea" }] });
    break;
  }
  await preview.running.workspace.settled();
  expect((await summaryOf("list"))?.findings?.error).toBe(0);
});

test("the page says that the values are made up, and Save writes them", async () => {
  const page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  onTestFinished(() => page.close());
  await page.goto(`${preview.running.url}#/templates/shown`);
  const panel = page.getByRole("complementary", { name: "Variables" });
  const note = panel.getByText(`save them as ${fixtureOf("shown")}`);
  await note.waitFor();
  await page.frameLocator("iframe[title]").getByText("label 2").waitFor();
  await panel.getByRole("textbox", { name: "name (required)", exact: true }).fill("Ada");
  await page.frameLocator("iframe[title]").getByText("Hello Ada").waitFor();
  await panel.getByRole("button", { name: "Save", exact: true }).click();
  await note.waitFor({ state: "detached" });
  expect(JSON.parse(readFileSync(project.path(fixtureOf("shown")), "utf8"))).toMatchObject({ name: "Ada" });
  await panel.getByRole("button", { name: "Save", exact: true, disabled: true }).waitFor();
});

test("an HTML template, which compiles without a fixture, is shown with an example too", async () => {
  const input = { name: "name" };
  expect((await preview.template("plain")).fixtures).toMatchObject([
    { name: "default", file: fixtureOf("plain"), isMadeUp: true, input },
  ]);
  const summary = await summaryOf("plain");
  expect(summary).toMatchObject({ subject: "For name", fixtures: ["default"] });
  expect(summary?.brokenFixtures).toBeUndefined();
  const saved = await preview.write("PUT", "/api/templates/plain/fixtures/default", { input, overwrite: true });
  expect(JSON.parse(saved.text)).toMatchObject({ isSaved: true, contractChanges: [] });
  // Values that a schema describes in words can't be guessed.
  expect((await preview.template("typed")).fixtures).toEqual([]);
});

test("if the example does not work with the template, only the missing fixture is reported", async () => {
  const { compiled, failure, fixtures } = await preview.template("strict");
  expect(compiled).toBeUndefined();
  expect(failure?.problems).toMatchObject([{ rule: "react-fixture" }]);
  expect(fixtures).toEqual([]);
});

test("next to a fixture that cannot be read, none is made up", async () => {
  const { fixtures } = await preview.template("broken");
  expect(fixtures.some(({ isMadeUp }) => isMadeUp)).toBe(false);
});
