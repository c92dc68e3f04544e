import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withFormerName } from "../../../src/cli/preview/template-files.js";
import { templateFiles } from "../../../src/cli/preview/template-files.js";
import { html, type Preview, PreviewedProject } from "./harness.js";

const project = new PreviewedProject(
  {
    ...html("hi"),
    ...html("paid"),
    "templates/paid/paid.txt": "Hello {{name}}",
    "templates/paid/template.json": '{\r\n    "subject": "For {{name}}"\r\n}\r\n',
    "templates/paid/notes.md": "Ours.",
    ...html("renamed"),
    "templates/renamed/template.json": '{ "subject": "Hi", "renamedFrom": "older" }',
    ...html("half-written"),
    "templates/half-written/template.json": '{ "subject": ',
    ...html("crowded"),
    "templates/crowded/crowded-next.html": "Kept.",
    "templates/alone.html": "<!doctype html><html lang=en><head><title>Hi</title></head><body><p>Hi</p></body></html>",
    "templates/blocked": "A file.",
    "templates/no-body/template.json": "{}",
    "elsewhere/elsewhere.html": "Kept.",
  },
  afterAll,
);
const root = project.path("templates");
let preview: Preview;

beforeAll(async () => {
  const templates = templateFiles(() => ({ folder: project.folder, roots: [root] }));
  preview = await project.preview({ access: { environments: async () => [], templates } });
  await preview.running.workspace.settled();
});

async function post(address: string, body: unknown) {
  const { status, text } = await preview.write("POST", address, body);
  return { status, ...JSON.parse(text) };
}

const create = (template: object) => post("/api/templates", template);
const rename = (from: string, to: string) => post(`/api/templates/${encodeURIComponent(from)}/rename`, { to });
const everything = () => [readdirSync(project.folder), readdirSync(root, { recursive: true })];
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const stateOf = async (name: string) => (await preview.project()).templates.find((each) => each.name === name)?.state;

describe("a new template", () => {
  it("is written, named, listed and compiled", async () => {
    expect(await create({ name: "order-shipped", engine: "html" })).toEqual({
      status: 200,
      files: ["order-shipped.html", "template.json", "variables.ts", "fixtures/default.json"].map(
        (file) => `templates/order-shipped/${file}`,
      ),
      kept: [],
      // Every template needs the package that replaces what this version of Node.js lacks.
      ...(process.versions.node.startsWith("20.") && { install: expect.stringContaining("sqlite") }),
    });
    await expect.poll(() => stateOf("order-shipped")).toBe("compiled");
    expect((await create({ name: "typed", engine: "react" })).install).toMatch(
      /npm install --save-dev .*@react-email\/components/,
    );
    expect(readdirSync(root).filter((entry) => entry.startsWith("."))).toEqual([]);
  });

  it("is created from a starter with the shared parts that it uses, and leaves existing ones unchanged", async () => {
    const starters = JSON.parse((await preview.ask("/api/starters")).text);
    expect(starters).toContainEqual({ name: "sign-in-code", engine: "html" });
    project.write({ "templates/_shared/footer.html": "<p>Ours</p>" });
    const code = await create({ name: "code", engine: "html", starter: "sign-in-code" });
    expect(code.files).toEqual([
      "templates/code/code.html",
      ...["default", "long-names", "minimal"].map((fixture) => `templates/code/fixtures/${fixture}.json`),
      "templates/code/template.json",
      "templates/code/variables.ts",
      ...[
        "_shared/head.html",
        "_shared/header.html",
        "_shared/format.ts",
        "_shared/request.ts",
        "_assets/logo.png",
      ].map((part) => `templates/${part}`),
    ]);
    expect(code.kept).toEqual(["templates/_shared/footer.html"]);
    expect(read("_shared/footer.html")).toBe("<p>Ours</p>");
    expect(await create({ name: "wrong", engine: "mjml", starter: "sign-in-code" })).toMatchObject({
      status: 422,
      error: { message: 'There is no starter template "sign-in-code" in mjml.' },
    });
    await expect.poll(() => stateOf("code")).toBe("compiled");
  });

  it("overwrites nothing and stays in the templates root", async () => {
    const messages = {
      hi: 'A template "hi" already exists.',
      alone: 'A template "alone" already exists.',
      blocked: "templates/blocked already exists and is not a template.",
      "../out":
        '"../out" is not a valid template name. Use lower-case letters, digits, - and _, beginning with a letter or digit.',
      "": '"" is not a valid template name. Use lower-case letters, digits, - and _, beginning with a letter or digit.',
    };
    const before = everything();
    for (const [name, message] of Object.entries(messages))
      expect(await create({ name, engine: "html" })).toMatchObject({ status: 422, error: { message } });
    for (const body of [{ name: "new" }, { name: "new", engine: "pug" }, { name: 1, engine: "html" }, []])
      expect(await create(body)).toMatchObject({ status: 400 });
    expect(await create({ name: "new", engine: "html", starter: "../hi" })).toMatchObject({ status: 422 });
    expect(everything()).toEqual(before);
  });

  it("is created once if two windows request it at the same time", async () => {
    const engines = ["html", "mjml", "react"];
    const answers = await Promise.all(engines.map((engine) => create({ name: "once", engine })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(readdirSync(path.join(root, "once"))).toHaveLength(4);
  });

  it("is not written through a link that leads out of the root", async () => {
    const linked = new PreviewedProject();
    linked.write({ "templates/.keep": "", "outside/.keep": "" });
    symlinkSync(linked.path("outside"), linked.path("templates/_shared"), "junction");
    const files = templateFiles(() => ({ folder: linked.folder, roots: [linked.path("templates")] }));
    await expect(files.create({ name: "code", engine: "html", starter: "sign-in-code" })).rejects.toThrow(
      "_shared is a link that leads out of the templates root",
    );
    expect(readdirSync(linked.path("outside"))).toEqual([".keep"]);
    expect(readdirSync(linked.path("templates")).toSorted()).toEqual([".keep", "_shared"]);
  });
});

describe("renaming", () => {
  it("moves everything that belongs to a template and records its former name for sync", async () => {
    expect(await rename("paid", "order-paid")).toEqual({
      status: 200,
      body: "templates/order-paid/order-paid.html",
      formerName: { file: "templates/order-paid/template.json", line: '"renamedFrom": "paid"' },
    });
    expect(readdirSync(path.join(root, "order-paid")).toSorted()).toEqual([
      "fixtures",
      "notes.md",
      "order-paid.html",
      "order-paid.txt",
      "template.json",
    ]);
    expect(read("order-paid/template.json")).toBe(
      '{\r\n    "subject": "For {{name}}",\r\n    "renamedFrom": "paid"\r\n}\r\n',
    );
    expect(existsSync(path.join(root, "paid"))).toBe(false);
    await expect.poll(() => stateOf("order-paid")).toBe("compiled");
    expect(await stateOf("paid")).toBeUndefined();
  });

  it("shows the line to add if it can't be added safely", async () => {
    const missing = async (from: string) => {
      const { status, body, formerName } = await rename(from, `${from}-2`);
      expect([status, formerName.line]).toEqual([200, `"renamedFrom": "${from}"`]);
      return [body, formerName.obstacle];
    };
    expect(await missing("renamed")).toEqual([
      "templates/renamed-2/renamed-2.html",
      'Its template.json already has another previous name: "older".',
    ]);
    expect(await missing("half-written")).toEqual([
      "templates/half-written-2/half-written-2.html",
      "Its template.json is not a valid JSON object, so the previous name was not added.",
    ]);
    expect(await missing("alone")).toEqual([
      "templates/alone-2.html",
      "A single-file template has no template.json. To add one, move the file to alone-2/alone-2.html.",
    ]);
    expect(read("renamed-2/template.json")).toBe('{ "subject": "Hi", "renamedFrom": "older" }');
    expect(read("half-written-2/template.json")).toBe('{ "subject": ');
  });

  it("changes nothing if something is in the way", async () => {
    const before = everything();
    const refused: readonly (readonly [from: string, to: string, message: string])[] = [
      ["hi", "crowded", 'A template "crowded" already exists.'],
      ["hi", "blocked", "templates/blocked already exists and is not a template."],
      ["hi", "../hi", '"../hi" is not a valid template name'],
      ["crowded", "crowded-next", "templates/crowded/crowded-next.html would become its body or text."],
      ["no-body", "new", "it has no body or more than one"],
      ["nowhere", "new", 'There is no template "nowhere".'],
      ["../elsewhere", "new", 'There is no template "../elsewhere".'],
    ];
    for (const [from, to, message] of refused)
      expect(await rename(from, to)).toMatchObject({
        status: 422,
        error: { message: expect.stringContaining(message) },
      });
    expect(await post("/api/templates/hi/rename", { to: 1 })).toMatchObject({ status: 400 });
    expect(everything()).toEqual(before);
  });

  it.each([
    [undefined, '{\n  "renamedFrom": "a"\n}\n'],
    ["{}", '{\n  "renamedFrom": "a"\n}\n'],
    ['\uFEFF{ "subject": "x" }\n', '\uFEFF{ "subject": "x", "renamedFrom": "a" }\n'],
    ['{"verbatim":true,"subject":"}"}', '{"verbatim":true,"subject":"}","renamedFrom": "a"}'],
    ['{\n\t"subject": "x"\n}', '{\n\t"subject": "x",\n\t"renamedFrom": "a"\n}'],
    ['{ "renamedFrom": "b", "subject": "x" }', '{ "renamedFrom": "a", "subject": "x" }'],
  ])("records the former name in %j", (text, expected) => {
    expect(withFormerName(text, { from: "a", to: "b" })).toEqual({ text: expected });
  });

  it.each(['{ "renamedFrom": "c" }', '{ "subject": ', "[]", '"x"'])("leaves %j unchanged", (text) => {
    expect(withFormerName(text, { from: "a", to: "b" })).toEqual({ obstacle: expect.any(String) });
  });
});

it("is only accepted from the page itself, and only if the preview supports it", async () => {
  const body = JSON.stringify({ name: "new", engine: "html", to: "new" });
  const headers = { "content-type": "application/json", origin: "http://evil.example" };
  for (const address of ["/api/templates", "/api/templates/hi/rename"]) {
    expect((await preview.ask(address, { method: "POST", headers, body })).status).toBe(403);
    expect(
      (await preview.ask(address, { method: "POST", headers: { "content-type": "text/plain" }, body })).status,
    ).toBe(415);
  }
  const alone = await new PreviewedProject(html("hi")).preview();
  expect((await alone.project()).can.changeTemplates).toBe(false);
  expect((await alone.ask("/api/starters")).text).toBe("[]");
  for (const address of ["/api/templates", "/api/templates/hi/rename"])
    expect(
      (await alone.ask(address, { method: "POST", headers: { "content-type": "application/json" }, body })).status,
    ).toBe(404);
});
