import { expect, onTestFinished, test } from "vitest";
import { html, PreviewedProject } from "./harness.js";

const second = "templates/hi/fixtures/second.json";

test("one broken fixture is marked, stays as it was, and stops nothing else", async () => {
  const project = new PreviewedProject({ ...html("hi", "Hello {{name}}"), [second]: '{ "name": "Bo" }' });
  const preview = await project.preview();
  const events = await preview.events();
  await events.changed("hi");

  project.write({ [second]: '{ "name": "Bob", "items": [' });
  const marked = await events.changed("hi");
  expect(marked).toMatchObject({ state: "compiled", fixtures: ["default", "second"], brokenFixtures: ["second"] });

  project.write(html("hi", "Good evening {{name}}"));
  await events.changed("hi");
  await preview.running.workspace.settled();
  const detail = await preview.template("hi");
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
  const found = (await preview.report("hi")).problems.filter(({ at }) => at?.file === second);
  expect(found).toMatchObject([{ rule: "fixture-json", at: { file: second, line: 1 } }]);
  // Nothing for whoever takes over what compiled.
  const given: unknown[] = [];
  onTestFinished(preview.running.workspace.onCompiled((results) => given.push(...results)));
  expect(given).toEqual([]);
  expect((await preview.project()).templates[0]?.findings?.error).toBe(1);

  project.write({ [second]: '{ "name": "Bob" }' });
  const mended = await events.changed("hi");
  expect(mended.brokenFixtures).toBeUndefined();
  expect((await preview.template("hi")).fixtures[1]).toMatchObject({ name: "second", input: { name: "Bob" } });
  await preview.running.workspace.settled();
  expect((await preview.report("hi")).problems.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("the list shows what the first fixture was when it was whole, and not another one's", async () => {
  const project = new PreviewedProject({ ...html("hi"), [second]: '{ "name": "Bo" }' });
  const preview = await project.preview();
  const events = await preview.events();
  expect(await events.changed("hi")).toMatchObject({ subject: "For Ada" });
  project.write({ "templates/hi/fixtures/default.json": '{ "name": ' });
  expect(await events.changed("hi")).toMatchObject({ subject: "For Ada", brokenFixtures: ["default"] });
  project.write({ "templates/hi/fixtures/default.json": '{ "name": "Joan" }' });
  expect(await events.changed("hi")).toMatchObject({ subject: "For Joan" });
});

test("a fixture that was never whole is in the list, and says why it is empty", async () => {
  const project = new PreviewedProject({ ...html("hi"), [second]: "[]" });
  const preview = await project.preview();
  await preview.running.workspace.settled();
  const { fixtures, compiled } = await preview.template("hi");
  expect(compiled).toBeDefined();
  expect(fixtures[1]).toMatchObject({ name: "second", input: {}, problem: expect.stringContaining("is a list") });
});

test("one that the schema refuses is there to be mended, and stops nothing else", async () => {
  const schema = (age: string) => ({
    "templates/hi/variables.ts": `import { z } from "zod";
export default z.object({ name: z.string(), ${age} });
export const derive = ({ name }: { name: string }) => ({ greeting: "Hello " + name });
`,
  });
  const project = new PreviewedProject({
    ...html("hi", "{{greeting}}"),
    ...schema("age: z.number().optional()"),
    [second]: '{\n  "name": "Bo",\n  "age": "ten"\n}',
  });
  const preview = await project.preview();
  const broken = async () => (await preview.project()).templates[0]?.brokenFixtures;
  await preview.running.workspace.settled();
  const detail = await preview.template("hi");
  expect(detail.failure).toBeUndefined();
  expect(detail.fixtures).toMatchObject([
    { name: "default", variables: { greeting: "Hello Ada" } },
    { name: "second", input: { name: "Bo", age: "ten" }, problem: expect.stringMatching(/^second\.json, line 3: /) },
  ]);
  expect((await preview.project()).templates[0]).toMatchObject({ state: "compiled", brokenFixtures: ["second"] });
  const found = (await preview.report("hi")).problems.filter(({ at }) => at?.file === second);
  expect(found).toMatchObject([{ rule: "fixture-schema", at: { line: 3 } }]);

  const request = { input: { name: "Bo", age: 10 }, overwrite: true };
  const headers = { "content-type": "application/json" };
  const saved = await preview.ask("/api/templates/hi/fixtures/second", {
    method: "PUT",
    headers,
    body: JSON.stringify(request),
  });
  expect(saved.status).toBe(200);
  await expect.poll(broken).toBeUndefined();
  expect((await preview.template("hi")).fixtures[1]).toMatchObject({ variables: { greeting: "Hello Bo" } });

  project.write(schema("age: z.string().optional()"));
  await expect.poll(broken).toEqual(["second"]);
  expect((await preview.template("hi")).fixtures[1]).toMatchObject({
    input: { age: 10 },
    variables: { greeting: "Hello Bo" },
  });
});

test("JSON that is nested too deep is refused, and neither fixture nor server is harmed", async () => {
  const project = new PreviewedProject(html("hi"));
  const preview = await project.preview();
  const deep = `{"input":{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}},"overwrite":true}`;
  const headers = { "content-type": "application/json" };
  for (const [method, address] of [
    ["POST", "/api/templates/hi/variables"],
    ["PUT", "/api/templates/hi/fixtures/default"],
  ] as const) {
    const { status, text } = await preview.ask(address, { method, headers, body: deep });
    expect(status).toBe(400);
    expect(text).toContain("nested deeper than 200 levels");
  }
  expect((await preview.template("hi")).fixtures[0]?.input).toEqual({ name: "Ada" });
});
