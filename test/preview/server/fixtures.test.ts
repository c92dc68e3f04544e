import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SaveFixtureAnswer, SaveFixtureRequest, VariablesAnswer } from "../../../src/preview/contract.js";
import { html, type Preview, PreviewedProject } from "./harness.js";

const receipt = (name: string) => ({
  ...html(name, "Hello {{name}}, {{total}} {{currency}}"),
  [`templates/${name}/fixtures/default.json`]: '{\n  "cents": 400,\n  "name": "Ada"\n}\n',
  [`templates/${name}/variables.ts`]: `
    import { z } from "zod";
    export default z.object({ name: z.string().min(2), cents: z.number(), currency: z.string().default("EUR"), at: z.date().optional() });
    export function derive({ name, cents, currency }, { locale, timeZone }) {
      if (name === "Nobody") throw new Error("There is no such person");
      return { total: new Intl.NumberFormat(locale, { style: "currency", currency }).format(cents / 100) + " " + timeZone };
    }`,
});

// Each test has its own templates, so that they don't affect each other.
const project = new PreviewedProject(
  {
    ...receipt("receipt"),
    ...receipt("overwritten"),
    ...receipt("wrong"),
    ...html("changed"),
    ...html("harmed"),
    ...html("elsewhere"),
    ...html("cased"),
    "templates/cased/fixtures/Long.json": '{ "name": "Ada" }',
    ...html("once"),
    ...html("whole"),
    "templates/hello/hello.tsx": `
      export const subject = "Hello";
      export default function Hello({ name }: { name: string }) { return <html lang="en"><body><p>Hello {name}</p></body></html>; }
      Hello.PreviewProps = { name: "Ada" };`,
    "templates/welcome.html":
      "<!doctype html><html lang=en><head><title>Hi</title></head><body><p>Hi</p></body></html>",
  },
  afterAll,
);
let preview: Preview;

beforeAll(async () => {
  preview = await project.preview();
  await preview.running.workspace.settled();
});

async function save(
  template: string,
  fixture: string,
  request: Partial<SaveFixtureRequest> & Pick<SaveFixtureRequest, "input">,
) {
  const address = `/api/templates/${template}/fixtures/${encodeURIComponent(fixture)}`;
  const { status, text } = await preview.write("PUT", address, { overwrite: false, ...request });
  const body = JSON.parse(text) as Partial<SaveFixtureAnswer> & { error?: { message: string; hint?: string } };
  return { status, ...body };
}

async function variables(
  template: string,
  request: object,
): Promise<VariablesAnswer & { status: number; text: string }> {
  const { status, text } = await preview.write("POST", `/api/templates/${template}/variables`, request);
  return { status, text, ...(JSON.parse(text) as VariablesAnswer) };
}

/** Without the files that the preview keeps for itself. */
const everything = (): string[] => [
  ...readdirSync(project.path("templates"), { recursive: true, encoding: "utf8" }),
  ...readdirSync(project.folder).filter((name) => name !== ".lettershop"),
];
const read = (file: string): string => readFileSync(project.path(file), "utf8");
const fixtures = (template: string): string[] => readdirSync(project.path("templates", template, "fixtures")).sort();

describe("a fixture is saved", () => {
  test("as a new one, in the style of the others, and shows at once", async () => {
    const events = await preview.events();
    const saved = await save("receipt", "long", { input: { name: "Augusta Ada King", cents: 1 } });
    expect(saved).toEqual({
      status: 200,
      file: "templates/receipt/fixtures/long.json",
      isSaved: true,
      problems: [],
      contractChanges: [],
    });
    expect(read("templates/receipt/fixtures/long.json")).toBe('{\n  "cents": 1,\n  "name": "Augusta Ada King"\n}\n');
    while (!(await preview.template("receipt")).fixtures.some(({ name }) => name === "long"))
      await events.changed("receipt");
  });

  test("over an existing one only on request, keeping its order", async () => {
    const input = { name: "Grace", cents: 400 };
    const { status, error } = await save("overwritten", "default", { input });
    expect(status).toBe(409);
    expect(error?.message).toBe("default.json already exists.");
    expect(read("templates/overwritten/fixtures/default.json")).toContain("Ada");
    expect(await save("overwritten", "default", { input, overwrite: true })).toMatchObject({ isSaved: true });
    expect(read("templates/overwritten/fixtures/default.json")).toBe('{\n  "cents": 400,\n  "name": "Grace"\n}\n');
    expect(fixtures("overwritten")).toEqual(["default.json"]);
  });

  test("unless its variables do not fit or derive throws, with each problem at its member", async () => {
    expect(await save("wrong", "bad", { input: { name: "A", cents: "4", nme: 1 } })).toMatchObject({
      status: 200,
      isSaved: false,
      problems: [
        { path: ["name"], message: 'Expected a string of at least 2 characters, found "A".' },
        { path: ["cents"], message: 'Expected a number, found "4".' },
        { path: ["nme"], message: "Not a variable of the template." },
      ],
    });
    const { problems } = await save("wrong", "bad", { input: { name: "Nobody", cents: 4 } });
    expect(problems).toEqual([{ path: [], message: "variables.ts threw: There is no such person." }]);
    expect(fixtures("wrong")).toEqual(["default.json"]);
  });

  test("with a report of how it changes an inferred contract", async () => {
    const input = { name: 7, note: "new" };
    const tried = await save("changed", "more", { input, dryRun: true });
    expect(tried).toMatchObject({
      isSaved: false,
      problems: [],
      contractChanges: ["name is string | number, was string.", "note is new (string, optional)."],
    });
    expect(fixtures("changed")).toEqual(["default.json"]);
    expect(await save("changed", "more", { input })).toMatchObject({ isSaved: true });
  });

  test("unless it would break a template with an inferred contract", async () => {
    const { isSaved, problems } = await save("harmed", "other", { input: { name: ["Ada"] } });
    expect(isSaved).toBe(false);
    expect(problems?.[0]?.message).toContain("is a list in the fixture");
  });

  test("if a component's own example was the only one", async () => {
    expect(await save("hello", "preview", { input: { name: "Eve" }, overwrite: true })).toMatchObject({ status: 409 });
    expect(await save("hello", "default", { input: { name: "Eve" } })).toMatchObject({ isSaved: true });
    // The example no longer counts next to a file.
    expect(fixtures("hello")).toEqual(["default.json", "preview.json"]);
    expect(JSON.parse(read("templates/hello/fixtures/preview.json"))).toEqual({ name: "Ada" });
    expect(await save("hello", "other", { input: { name: "Eva" } })).toMatchObject({ isSaved: true });
    expect(fixtures("hello")).toEqual(["default.json", "other.json", "preview.json"]);
  });
});

describe("a fixture is written nowhere else", () => {
  test("whatever its name", async () => {
    const before = everything();
    const names = [
      "../default",
      "../../elsewhere/fixtures/x",
      "..",
      "a/b",
      "a\\b",
      "C:x",
      "x.json",
      "con",
      "Default",
      "",
      "a\0",
      "x".repeat(300),
    ];
    for (const name of names) {
      const { status } = await save("elsewhere", name, { input: { name: "Eve" }, overwrite: true });
      expect(status, name).toBeGreaterThanOrEqual(400);
      expect(status, name).toBeLessThan(500);
    }
    expect(everything()).toEqual(before);
  });

  test("and a name that differs from an existing one only in case is refused", async () => {
    const { status, error } = await save("cased", "long", { input: { name: "Eve" }, overwrite: true });
    expect([status, error?.message]).toEqual([
      409,
      "Long.json already exists, and Windows and macOS treat it as the same file.",
    ]);
  });

  test("and a template that is a single file refuses it, with a hint", async () => {
    const { status, error } = await save("welcome", "default", { input: {} });
    expect(status).toBe(409);
    expect(error?.hint).toBe("Move welcome.html into a folder of its own: welcome/welcome.html.");
    expect(existsSync(project.path("templates/fixtures"))).toBe(false);
  });
});

describe("saving twice at the same time", () => {
  test("creates a new fixture only once", async () => {
    const names = ["Ada", "Eve", "Grace", "Joan"];
    const answers = await Promise.all(names.map((name) => save("once", "new", { input: { name } })));
    expect(answers.filter(({ isSaved }) => isSaved)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    expect(read("templates/once/fixtures/new.json")).toContain(names[answers.findIndex(({ isSaved }) => isSaved)]);
  });

  test("leaves a complete file, whichever was last", async () => {
    const saves = Array.from({ length: 8 }, (_, index) =>
      save("whole", "default", { input: { name: `Ada ${index}`.repeat(2_000) }, overwrite: true }),
    );
    for (const { isSaved } of await Promise.all(saves)) expect(isSaved).toBe(true);
    expect(JSON.parse(read("templates/whole/fixtures/default.json")).name).toMatch(/^(Ada \d)\1{1999}$/);
    expect(fixtures("whole")).toEqual(["default.json"]);
  });
});

test("variables are answered with defaults and derived variables, or with their problems", async () => {
  const input = { name: "Ada", cents: 123_456 };
  expect(await variables("receipt", { input, locale: "de-DE", timeZone: "Europe/Paris" })).toMatchObject({
    problems: [],
    variables: { name: "Ada", cents: 123_456, currency: "EUR", total: "1.234,56\u00A0€ Europe/Paris" },
  });
  expect(await variables("receipt", { input })).toMatchObject({ variables: { total: "€1,234.56 UTC" } });
  const { problems } = await variables("receipt", { input: { name: "Ada", cents: null, at: "soon" } });
  expect(problems.map(({ path }) => path)).toEqual([["cents"], ["at"]]);
  for (const where of [{ locale: "no language" }, { timeZone: "Mars/Olympus" }, { locale: "x".repeat(200) }])
    expect((await variables("receipt", { input, ...where })).status).toBe(400);
});
