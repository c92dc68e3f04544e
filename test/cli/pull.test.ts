import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/api/client.js";
import { startService } from "../../src/service/index.js";
import type { TemplateFields } from "../../src/project/template.js";
import { htmlTemplate, TestProject } from "./project.js";

const domain = "example.test";

interface Environment {
  readonly project: TestProject;
  readonly env: Readonly<Record<string, string>>;
  readonly client: Client;
  /** Puts templates on the service. */
  readonly create: (...templates: Partial<TemplateFields>[]) => Promise<void>;
}

async function environment(settings: object = {}, files: Readonly<Record<string, string>> = {}): Promise<Environment> {
  const service = await startService({ data: ":memory:", port: 0, limits: false });
  const client = createClient({ apiKey: service.apiKey, baseUrl: service.url });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  const config = { environments: { staging: { url: service.url, domain, ...settings } } };
  return {
    project: new TestProject({ "lettershop.config.json": JSON.stringify(config), "templates/.keep": "", ...files }),
    env: { LETTERSHOP_ENV: "staging", LETTERSHOP_API_KEY: service.apiKey },
    client,
    create: async (...templates) => {
      for (const each of templates) await client.templates.create(domain, { ...receipt, ...each });
    },
  };
}

const receipt: TemplateFields = {
  name: "receipt",
  description: "Sent after a payment",
  subject: "Receipt {{number}}",
  html_body:
    "<!DOCTYPE html>\r\n<html>\n  <body>\n    <p>Hi {{name}},</p>  \n{{#items}}<li>{{title}} {{price}}</li>{{/items}}</body></html>",
  text_body: "Hi {{name}}\r\n\r\n{{#items}}\r\n- {{title}}\r\n{{/items}}  ",
};

describe.each(["v4", "v3"])("templates pull, version %s", (version) => {
  it("writes folders that compile to what was pulled", async () => {
    const { project, env, create } = await environment({ version });
    await create({}, { name: "welcome", text_body: "", description: "" });
    expect(await project.run(["pull"], env)).toMatchObject({
      code: 0,
      stdout: "✓ receipt: pulled\n✓ welcome: pulled\n",
    });
    const read = (file: string): string => readFileSync(project.path("templates", file), "utf8");
    expect(read("receipt/receipt.html")).toBe(receipt.html_body);
    expect(read("receipt/receipt.txt")).toBe(receipt.text_body);
    expect(JSON.parse(read("receipt/template.json"))).toEqual({
      subject: receipt.subject,
      description: receipt.description,
      verbatim: true,
    });
    expect(JSON.parse(read("receipt/fixtures/default.json"))).toEqual({
      number: "number",
      name: "name",
      items: [
        { title: "title 1", price: "price 1" },
        { title: "title 2", price: "price 2" },
      ],
    });
    expect(await project.run(["pull"], env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing to pull/),
    });
    expect(readdirSync(project.path("templates")).toSorted()).toEqual([".keep", "receipt", "welcome"]);
  });
});

describe("templates pull", () => {
  it("never overwrites local templates", async () => {
    const { project, env, create, client } = await environment({}, htmlTemplate("mine"));
    await create({}, { name: "mine" });
    await project.run(["pull"], env);
    const before = readFileSync(project.path("templates/mine/mine.html"), "utf8");
    const { mtimeMs } = statSync(project.path("templates/receipt/receipt.html"));
    await client.templates.update(domain, "receipt", { description: "Sent after a payment " });
    const { code, stdout } = await project.run(["pull", "mine", "receipt", "--json"], env);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).templates).toMatchObject([
      { name: "mine", state: "kept" },
      { name: "receipt", state: "unchanged" },
    ]);
    expect(readFileSync(project.path("templates/mine/mine.html"), "utf8")).toBe(before);
    expect(statSync(project.path("templates/receipt/receipt.html")).mtimeMs).toBe(mtimeMs);
  });

  it("skips a folder that only has the name, and a template that does not compile", async () => {
    const { project, env, create } = await environment(
      {},
      { "templates/receipt/notes.md": "", "templates/a": "a file" },
    );
    await create({}, { name: "a" });
    const { code, stdout } = await project.run(["pull", "receipt", "a"], env);
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^! a: skipped[^]*! receipt: skipped/),
    });
    expect(readdirSync(project.path("templates/receipt"))).toEqual(["notes.md"]);
    expect(readFileSync(project.path("templates/a"), "utf8")).toBe("a file");
  });

  it("removes the environment's prefix and suffix, and pulls nothing of another environment", async () => {
    const affixes = { namePrefix: "stg-", nameSuffix: "-x" };
    const { project, env, create } = await environment(affixes);
    await create({}, { name: "stg-receipt-x" }, { name: "stg-x" });
    expect(await project.run(["pull"], env)).toMatchObject({ code: 0, stdout: "✓ receipt: pulled\n" });
    expect(await project.run(["pull", "stg-receipt-x"], env)).toMatchObject({ code: 2 });

    const config = JSON.parse(readFileSync(project.path("lettershop.config.json"), "utf8"));
    const { url } = config.environments.staging;
    config.environments.production = { url, domain };
    const other = new TestProject({ "lettershop.config.json": JSON.stringify(config), "templates/.keep": "" });
    const production = { ...env, LETTERSHOP_ENV: "production" };
    expect(await other.run(["pull"], production)).toMatchObject({ stdout: "✓ receipt: pulled\n✓ stg-x: pulled\n" });
  });

  it("pulls names that Windows reserves, and refuses names that are not valid in a project", async () => {
    const { project, env, create } = await environment();
    await create({ name: "con" }, { name: "lpt0" }, { name: "receipt__de" });
    const { code, stdout } = await project.run(["pull"], env);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✓ con: pulled\n✓ lpt0: pulled\n! receipt__de: not pulled\n.*reserved for languages/);
    expect(existsSync(project.path("templates/@con/@con.html"))).toBe(true);
    const built = await project.run(["render", "con", "--part", "subject"]);
    expect(built).toMatchObject({ code: 0, stdout: "Receipt number" });
    expect((await project.run(["pull", "con"], env)).stdout).toBe("✓ con: unchanged\n");
  });

  it("reports templates that do not compile, with the reason", async () => {
    const { project, env, create } = await environment();
    await create({ html_body: "{{#if vip}}<p>{{> part}}</p>{{/if vip}}" });
    const { code, stdout } = await project.run(["pull"], env);
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('Mustache has no "if"') });
    expect(existsSync(project.path("templates/receipt/receipt.html"))).toBe(true);
  });

  it("refuses a misspelt name", async () => {
    const { project, env, create } = await environment();
    await create({});
    const { code, stderr } = await project.run(["pull", "reciept"], env);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean receipt?") });
  });
});

const piece = fc.constantFrom(
  ..."  |\t|\n|\r\n|\r|<p>|</p>|<br/>|</td>|<td |a='{{name}}' |b={{name}} |>|<!-- x -->|<!-- {{name}} -->|{{! note }}".split(
    "|",
  ),
  ..."\n{{! alone }}\n|<!--[if mso]><table><![endif]-->|<title>T {{name}}</title>|<style>p{color:{{color}}}</style>".split(
    "|",
  ),
  ..."{{name}}|{{{name}}}|{{&name}}|{{ name }}|{{#items}}{{title}}{{/items}}|{{^items}}none{{/items}}|{{order.id}}".split(
    "|",
  ),
  ...'&amp;|&nbsp;|\u00a0|\ufeff|\u200d|é|e\u0301|😀|\0|\u2028|\\|"|{|}|<mjml>|<mj-text>|<![CDATA[x]]>|<html lang="de">'.split(
    "|",
  ),
  ...'<img src="logo.png">|<link rel="stylesheet" href="a.css">|<style data-inline>p{color:red}</style>|undefined'.split(
    "|",
  ),
  "x".repeat(3000),
);
const body = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));

it("compiles to exactly what was pulled, or reports that it doesn't", async () => {
  const { project, env, client } = await environment();
  const runs = process.env["MODE"] === "long" ? 150 : 60;
  const samples = fc.sample(fc.record({ subject: body, html_body: body, text_body: body, description: body }), runs);
  for (const [index, sample] of samples.entries()) {
    const [subject, description] = [sample.subject.slice(0, 250), sample.description.slice(0, 500)];
    // Invalid Mustache is refused.
    await client.templates
      .create(domain, { ...sample, name: `t${index}`, subject, description })
      .catch(() => undefined);
  }
  const count = (await client.templates.list(domain)).length;
  expect(count).toBeGreaterThan(runs / 3);
  const { stdout } = await project.run(["pull", "--json"], env);
  const { templates }: { templates: { name: string; state: string; reasons: string[] }[] } = JSON.parse(stdout);
  expect(templates).toHaveLength(count);
  for (const { state, reasons } of templates) if (state !== "pulled") expect(reasons).not.toEqual([]);
  const built = await project.run([
    "build",
    "--out",
    "out",
    ...templates.filter(({ state }) => state === "pulled").map(({ name }) => name),
  ]);
  for (const { name, state } of templates) {
    const { html_body, text_body } = await client.templates.get(domain, name);
    expect(readFileSync(project.path("templates", name, `${name}.html`), "utf8")).toBe(html_body);
    if (state !== "pulled") continue;
    expect(readFileSync(project.path("out", name, "body.html"), "utf8"), built.stderr).toBe(html_body);
    expect(readFileSync(project.path("out", name, "body.txt"), "utf8")).toBe(text_body);
  }
});
