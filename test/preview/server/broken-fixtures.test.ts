import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { html, type Preview, PreviewedProject } from "./harness.js";

const second = (name: string) => `templates/${name}/fixtures/second.json`;
const schema = (age: string) => ({
  "templates/refused/variables.ts": `import { z } from "zod";
export default z.object({ name: z.string(), ${age} });
export const derive = ({ name }: { name: string }) => ({ greeting: "Hello " + name });
`,
});

const project = new PreviewedProject(
  {
    ...html("broken", "Hello {{name}}"),
    [second("broken")]: '{ "name": "Bo" }',
    ...html("listed"),
    [second("listed")]: '{ "name": "Bo" }',
    ...html("list"),
    [second("list")]: "[]",
    ...html("refused", "{{greeting}}"),
    ...schema("age: z.number().optional()"),
    [second("refused")]: '{\n  "name": "Bo",\n  "age": "ten"\n}',
    ...html("deep"),
  },
  afterAll,
);
let preview: Preview;

beforeAll(async () => {
  preview = await project.preview();
  await preview.running.workspace.settled();
});

const summaryOf = async (name: string) => (await preview.project()).templates.find((each) => each.name === name);

test("a broken fixture is marked, keeps its last values and blocks nothing else", async () => {
  const events = await preview.events();
  project.write({ [second("broken")]: '{ "name": "Bob", "items": [' });
  const marked = await events.changed("broken");
  expect(marked).toMatchObject({ state: "compiled", fixtures: ["default", "second"], brokenFixtures: ["second"] });

  project.write(html("broken", "Good evening {{name}}"));
  await events.changed("broken");
  await preview.running.workspace.settled();
  const detail = await preview.template("broken");
  expect(detail.failure).toBeUndefined();
  expect(detail.compiled?.html).toContain("Good evening");
  expect(detail.fixtures.map(({ name, input, problem }) => ({ name, input, problem }))).toEqual([
    { name: "default", input: { name: "Ada" }, problem: undefined },
    {
      name: "second",
      input: { name: "Bo" },
      problem: expect.stringMatching(/^second\.json, line 1: The file ends/),
    },
  ]);
  const ofFixture = (await preview.report("broken")).problems.filter(({ at }) => at?.file === second("broken"));
  expect(ofFixture).toMatchObject([{ rule: "fixture-json", at: { file: second("broken"), line: 1 } }]);
  // Users of compile results do not receive it.
  const received: string[] = [];
  onTestFinished(preview.running.workspace.onCompiled((results) => received.push(...results.map(({ name }) => name))));
  expect(received).not.toContain("broken");
  expect(received).toContain("deep");
  expect((await summaryOf("broken"))?.findings?.error).toBe(1);

  project.write({ [second("broken")]: '{ "name": "Bob" }' });
  await expect.poll(async () => (await summaryOf("broken"))?.brokenFixtures).toBeUndefined();
  expect((await preview.template("broken")).fixtures[1]).toMatchObject({ name: "second", input: { name: "Bob" } });
  await preview.running.workspace.settled();
  expect((await preview.report("broken")).problems.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("the list shows the last valid values of the first fixture, not another fixture's", async () => {
  const events = await preview.events();
  expect(await summaryOf("listed")).toMatchObject({ subject: "For Ada" });
  project.write({ "templates/listed/fixtures/default.json": '{ "name": ' });
  expect(await events.changed("listed")).toMatchObject({ subject: "For Ada", brokenFixtures: ["default"] });
  project.write({ "templates/listed/fixtures/default.json": '{ "name": "Joan" }' });
  expect(await events.changed("listed")).toMatchObject({ subject: "For Joan" });
});

test("a fixture that was never valid is listed with the reason why it is empty", async () => {
  const { fixtures, compiled } = await preview.template("list");
  expect(compiled).toBeDefined();
  expect(fixtures[1]).toMatchObject({ name: "second", input: {}, problem: expect.stringContaining("is a list") });
});

test("a fixture that the schema rejects can be fixed and blocks nothing else", async () => {
  const broken = async () => (await summaryOf("refused"))?.brokenFixtures;
  const detail = await preview.template("refused");
  expect(detail.failure).toBeUndefined();
  expect(detail.fixtures).toMatchObject([
    { name: "default", variables: { greeting: "Hello Ada" } },
    { name: "second", input: { name: "Bo", age: "ten" }, problem: expect.stringMatching(/^second\.json, line 3: /) },
  ]);
  expect(await summaryOf("refused")).toMatchObject({ state: "compiled", brokenFixtures: ["second"] });
  const ofFixture = (await preview.report("refused")).problems.filter(({ at }) => at?.file === second("refused"));
  expect(ofFixture).toMatchObject([{ rule: "fixture-schema", at: { line: 3 } }]);

  const request = { input: { name: "Bo", age: 10 }, overwrite: true };
  const headers = { "content-type": "application/json" };
  const saved = await preview.ask("/api/templates/refused/fixtures/second", {
    method: "PUT",
    headers,
    body: JSON.stringify(request),
  });
  expect(saved.status).toBe(200);
  await expect.poll(broken).toBeUndefined();
  expect((await preview.template("refused")).fixtures[1]).toMatchObject({ variables: { greeting: "Hello Bo" } });

  project.write(schema("age: z.string().optional()"));
  await expect.poll(broken).toEqual(["second"]);
  expect((await preview.template("refused")).fixtures[1]).toMatchObject({
    input: { age: 10 },
    variables: { greeting: "Hello Bo" },
  });
});

test("JSON that is nested too deeply is rejected without harm to the fixture or the server", async () => {
  const deep = `{"input":{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}},"overwrite":true}`;
  const headers = { "content-type": "application/json" };
  for (const [method, address] of [
    ["POST", "/api/templates/deep/variables"],
    ["PUT", "/api/templates/deep/fixtures/default"],
  ] as const) {
    const { status, text } = await preview.ask(address, { method, headers, body: deep });
    expect(status).toBe(400);
    expect(text).toContain("nested deeper than 200 levels");
  }
  expect((await preview.template("deep")).fixtures[0]?.input).toEqual({ name: "Ada" });
});
