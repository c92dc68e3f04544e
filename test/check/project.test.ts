import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/diagnostic.js";
import { checkCompiled } from "../../src/check/index.js";
import { generateRegistry } from "../../src/registry/generate.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import { compileAll } from "../../src/render/compile.js";
import { type Files, useProjects } from "../render/project.js";
import { page, rulesOf } from "./findings.js";

const projects = useProjects();
const project = { folder: "/app", dataFolder: "/app/.lettershop", environments: {}, locale: "en-US", timeZone: "UTC" };

/** What the rules about the project find, with the registry of other files on disk where these are given. */
async function findings(files: Files, registryOf?: Files): Promise<string[]> {
  return (await diagnostics(files, registryOf)).map(({ rule, severity, at }) => {
    const place = [path.basename(at?.file ?? ""), at?.line, at?.column].filter((part) => part !== undefined);
    return `${rule} ${severity} ${place.join(":")}`;
  });
}

async function hints(files: Files): Promise<string[]> {
  return (await diagnostics(files)).map(({ rule, hint }) => `${rule} ${hint ?? ""}`);
}

async function diagnostics(files: Files, registryOf?: Files): Promise<Diagnostic[]> {
  const root = await projects.write(files);
  const results = await compileAll(loadTemplates([root]).templates, projects.context());
  const all = readdirSync(root, { recursive: true, encoding: "utf8" }).map((file) => path.join(root, file));
  const isWhole = results.every(({ compiled }) => compiled);
  const registry = registryOf && {
    registry: {
      file: "/app/templates.gen.ts",
      text: await generateRegistry({ results: await projects.compile(registryOf), project }),
    },
    ...(isWhole && { generated: await generateRegistry({ results, project }) }),
  };
  return checkCompiled(results, { rules: rulesOf("project"), files: { all: all.toSorted(), ...registry } });
}

const hi = { "hi.html": page("<p>{{name}}</p>") };

describe("the registry", () => {
  it("matches the templates", async () => {
    expect(await findings(hi, hi)).toEqual([]);
    expect(await findings(hi)).toEqual([]);
  });

  it("has a template that is not on disk", async () => {
    expect(await findings(hi, { ...hi, "old.html": page("<p>x</p>") })).toEqual([
      expect.stringMatching(/^registry-template-missing error templates\.gen\.ts:\d+:5$/),
    ]);
  });

  it("is out of date", async () => {
    expect(await findings({ ...hi, "new.html": page("<p>x</p>") }, hi)).toEqual([
      "registry-out-of-date warning templates.gen.ts",
    ]);
    expect(await findings({ "hi.html": page("<p>{{name}} {{age}}</p>") }, hi)).toEqual([
      expect.stringMatching(/^registry-out-of-date warning templates\.gen\.ts:\d+:5$/),
    ]);
  });

  it("is not compared if a template does not compile or load", async () => {
    expect(await findings({ ...hi, "old.html": "<b>" }, { ...hi, "old.html": page("<p>x</p>") })).toEqual([]);
    const unreadable = { ...hi, "old/old.html": page("<p>x</p>"), "old/template.json": "{" };
    expect(await findings(unreadable, { ...hi, "old.html": page("<p>x</p>") })).toEqual([]);
  });
});

describe("json-duplicate-key", () => {
  it("reports repeated names in metadata and at any depth of a fixture", async () => {
    const files = {
      "x/x.html": page("<p>{{name}}</p>"),
      "x/template.json": '{\n  "subject": "a",\n  "subject": "b"\n}',
      "x/fixtures/default.json": '{ "name": "a",\n"list": [{ "b": 1 }, { "b": 1, "c": 2,\n "b": 3 }], "name": "c" }',
    };
    expect(await findings(files)).toEqual([
      "json-duplicate-key warning template.json:3:3",
      "json-duplicate-key warning default.json:3:13",
      "json-duplicate-key warning default.json:3:2",
    ]);
    const [first] = await diagnostics(files);
    expect(first).toMatchObject({ template: "x", message: '"subject" appears twice: its value on line 2 is lost.' });
  });

  it("accepts the same name in several objects", async () => {
    const fixture = '{ "a": { "b": 1 }, "b": [{ "b": 1 }, { "b": 2 }] }';
    expect(await findings({ "x/x.html": page("<p>x</p>"), "x/fixtures/default.json": fixture })).toEqual([]);
  });
});

describe("unused files", () => {
  it("are fixtures in the wrong place or format", async () => {
    const files = { "x/x.html": page("<p>x</p>"), "x/fixtures/default.json": "{}", "x/fixtures/more/long.json": "{}" };
    expect(await findings({ ...files, "x/fixtures/a.yaml": "a: 1", "x/fixtures/README.md": "a" })).toEqual([
      "unused-file warning a.yaml",
      "unused-file warning long.json",
    ]);
  });

  it.each(["extra.JSON", "extra.json5", "extra.json.txt"])(
    "are fixtures with the wrong extension: %s",
    async (file) => {
      const files = { "x/x.html": page("<p>x</p>"), "x/fixtures/default.json": "{}", [`x/fixtures/${file}`]: "{}" };
      expect(await findings(files)).toEqual([`unused-file warning ${file}`]);
    },
  );

  it.each(["README.md", "make.js", "make.ts", "log.jsonl", "logo.svg"])("may be next to fixtures: %s", async (file) => {
    const files = { "x/x.html": page("<p>x</p>"), "x/fixtures/default.json": "{}", [`x/fixtures/${file}`]: "" };
    expect(await findings(files)).toEqual([]);
  });

  it("are a text body with another name", async () => {
    const files = { "hello/hello.html": page("<p>x</p>{{> hello/row}}"), "hello/row.html": "<p>y</p>" };
    expect(await findings({ ...files, "hello/helo.txt": "x" })).toEqual(["unused-file warning helo.txt"]);
    expect(await findings({ ...files, "hello/hello.txt": "x", "hello/template.json": "{}" })).toEqual([]);
  });

  it.each([
    ["hello.text", "hello.txt"],
    ["helo.txt", "hello.txt"],
    ["text.mustache", "hello.txt"],
    ["template.jsn", "template.json"],
    ["Template.json", "template.json"],
    ["template.yaml", "template.json"],
    ["metadata.json", "template.json"],
    ["variable.ts", "variables.ts"],
    ["variables.js", "variables.ts"],
    ["long-names.json", "fixtures/long-names.json"],
  ])("are %s, which should be %s", async (file, meant) => {
    const files = { "hello/hello.html": page("<p>x</p>"), [`hello/${file}`]: "{}" };
    expect(await hints(files)).toEqual([`unused-file Rename it to ${meant}, or remove it.`]);
  });

  it("are a misspelt folder of fixtures", async () => {
    const body = "export default ({ name }: { name: string }) => <html><body>{name}</body></html>;";
    const files = { "x/x.tsx": body, "x/fixure/default.json": '{ "name": "Ada" }', "x/variable.ts": "" };
    expect(await hints(files)).toEqual([
      "unused-file Rename fixure/ to fixtures/, or remove it.",
      "unused-file Rename it to variables.ts, or remove it.",
    ]);
  });

  it("are not files with another purpose", async () => {
    const whole = {
      "x/x.html": page("<p>x</p>"),
      "x/x.txt": "x",
      "x/template.json": "{}",
      "x/variables.ts":
        'import { z } from "zod";\nimport { a } from "./variable.js";\nexport default z.object({ [a]: z.string().optional() });',
      "x/variable.ts": 'export const a = "b";',
      "x/fixtures/default.json": "{}",
    };
    const beside = {
      "x/README.md": "",
      "x/x.png": "",
      "x/template.json~": "",
      "x/x.test.ts": "",
      "x/variables.d.ts": "",
    };
    expect(
      await findings({ ...whole, ...beside, "x/x.txt.bak": "", "x/.eslintrc.json": "{}", "x/_old/a.json": "{}" }),
    ).toEqual([]);
  });

  it("are shared parts that no template includes", async () => {
    const used = { "x.html": page("{{> _shared/footer}}"), "_shared/footer.html": "<p>x</p>" };
    expect(await findings({ ...used, "_shared/header.html": "<p>x</p>", "_shared/README.md": "a" })).toEqual([
      "unused-file warning header.html",
    ]);
    expect(await findings(used)).toEqual([]);
    expect(await findings({ ...used, "_shared/header.html": "<p>x</p>", "y.html": "<b>" })).toEqual([]);
  });

  it("are modules that nothing imports, not even for types", async () => {
    const body = `import type { Props } from "./_shared/types.js";
import { Title } from "./_shared/title.js";
export default function Email({ name }: Props) { return <Title>{name}</Title>; }
Email.PreviewProps = { name: "Ada" };
export const subject = "Hi";`;
    const files = {
      "x.tsx": body,
      "_shared/types.ts": "export interface Props { name: string }",
      "_shared/title.tsx": "export const Title = ({ children }: any) => <h1>{children}</h1>;",
    };
    expect(await findings({ ...files, "_shared/old.tsx": "export const Old = () => null;" })).toEqual([
      "unused-file warning old.tsx",
    ]);
  });

  it("are images that no template shows", async () => {
    const files = {
      "x.html": page('<img src="_assets/a b.png" alt="">'),
      "_assets/a b.png": "",
      "_assets/old.png": "",
    };
    expect(await findings(files)).toEqual(["unused-file info old.png"]);
  });

  it("are not images named in a fixture, in a shared part, or in compiled html", async () => {
    const body = `import { Logo } from "./_shared/logo";\nexport default function Email({ photo }: { photo: string }) {\n  return <html lang="en"><head><title>Hi</title></head><body><Logo /><img src={photo} alt="" /><img src={"../_assets/" + ["pic", "png"].join(".")} alt="" /></body></html>;\n}\nexport const subject = "Hi";\n`;
    const files = {
      "x/x.tsx": body.replace("./_shared", "../_shared"),
      "x/fixtures/default.json": '{ "photo": "https://img.example/photo.png" }',
      "_shared/logo.tsx": `export const Logo = () => <img src="../_assets/logo.png" alt="" />;`,
      "_assets/logo.png": "",
      "_assets/photo.png": "",
      "_assets/pic.png": "",
      "_assets/old.png": "",
    };
    expect(await findings(files)).toEqual(["unused-file info old.png"]);
  });
});
