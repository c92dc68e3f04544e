import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const ONLY_IMAGES = ["--rule", "image-alt,unused-silence"];
const image = '<img src="https://a.example/b.png">';

/** Two templates that include a part of which something is found. */
function withPart(part: string): Record<string, string> {
  return {
    ...htmlTemplate("one", "Hello {{name}}\n{{> _shared/part}}"),
    ...htmlTemplate("two", "Hello {{name}}\n{{> _shared/part}}"),
    "templates/_shared/part.html": part,
  };
}

function config(settings: object): Record<string, string> {
  return { "lettershop.config.json": JSON.stringify({ check: settings }) };
}

interface Found {
  readonly rule: string;
  readonly severity: string;
  readonly at?: { readonly file: string; readonly line?: number };
  readonly templates: readonly string[];
}

/** What is found, as `rule severity file:line template,template`. */
async function check(project: TestProject, args: readonly string[] = ONLY_IMAGES) {
  const { code, stdout, stderr } = await project.run(["check", "--json", ...args]);
  const document = JSON.parse(stdout);
  const found = (document.diagnostics ?? []).map(
    ({ rule, severity, at, templates }: Found) => `${rule} ${severity} ${at?.file}:${at?.line} ${templates.join(",")}`,
  );
  return { code, stderr, document, found };
}

describe("check", () => {
  it("takes what it found before while nothing has changed, and nothing of it afterwards", async () => {
    const project = new TestProject(withPart(`<p>\n${image}\n</p>`));
    const before = await check(project);
    const folder = path.join(project.folder, ".lettershop", "cache");
    const kept = readdirSync(folder).map((name) => path.join(folder, name));
    const marked = kept.filter((file) => readFileSync(file, "utf8").includes("has no alt text"));
    expect(marked).toHaveLength(2);
    for (const file of marked)
      writeFileSync(file, readFileSync(file, "utf8").replaceAll("has no alt text", "was found before"));

    const again = await check(project);
    expect(again.found).toEqual(before.found);
    expect(again.document.diagnostics[0].message).toContain("was found before");
    project.write(withPart(`<p>\n\n${image}\n</p>`));
    const changed = await check(project);
    expect(changed.found).toEqual(["image-alt warning templates/_shared/part.html:3 one,two"]);
    expect(changed.document.diagnostics[0].message).toContain("has no alt text");
  });

  it("reports once what a shared part causes in several templates, and silences it once", async () => {
    const project = new TestProject(withPart(`<p>\n${image}\n</p>`));
    expect((await check(project)).found).toEqual(["image-alt warning templates/_shared/part.html:2 one,two"]);
    const pretty = await project.run(["check", ...ONLY_IMAGES]);
    expect(pretty.stdout).toMatch(/^warning The image .* image-alt\n {2}templates.+part\.html:2:\d+ in one and two\n/);
    expect(pretty.stdout).toContain("2 templates checked: 1 warning.");

    project.write(withPart(`<p>\n{{! lettershop-ignore image-alt: a pixel }}\n${image}\n</p>`));
    expect((await check(project)).found).toEqual([]);
    project.write(withPart("<p>\n{{! lettershop-ignore image-alt: a pixel }}\nText\n</p>"));
    expect((await check(project)).found).toEqual(["unused-silence warning templates/_shared/part.html:2 "]);
    expect((await check(project, [...ONLY_IMAGES, "one"])).found).toEqual([]);
  });

  it("gives findings the severity that the configuration says, by template", async () => {
    const project = new TestProject({
      ...htmlTemplate("one", `{{name}} ${image}`),
      ...htmlTemplate("marketing-two", `{{name}} ${image}`),
      ...config({
        rules: { "image-alt": "error" },
        overrides: [{ templates: "marketing-*", rules: { "image-alt": "off" } }],
      }),
    });
    const { code, found } = await check(project);
    expect(found).toEqual(["image-alt error templates/one/one.html:4 one"]);
    expect(code).toBe(1);
    project.write(config({ rules: { "image-alt": "off" } }));
    expect(await check(project)).toMatchObject({ code: 0, found: [] });
    project.write(config({ overrides: [{ templates: ["one", "marketting-two"], rules: { "image-alt": "off" } }] }));
    const { document } = await check(project, ["--rule", "unused-silence"]);
    expect(document.diagnostics).toMatchObject([
      {
        message:
          'check.overrides.0 of the configuration is for "marketting-two", but no template matches (did you mean marketing-two?).',
        at: { file: "lettershop.config.json" },
      },
    ]);
  });

  it("looks for what only some teams want where the configuration or the command asks for it", async () => {
    const project = new TestProject({ "templates/one.html": "<html><head></head><body>Hello</body></html>" });
    const titles = async (...args: readonly string[]) =>
      (await check(project, args)).found.filter((each: string) => each.startsWith("title-missing"));
    expect(await titles()).toEqual([]);
    expect(await titles("--rule", "title-missing")).toEqual(["title-missing info templates/one.html:1 one"]);
    project.write(config({ extends: "all" }));
    expect(await titles()).toEqual(["title-missing info templates/one.html:1 one"]);
    project.write(config({ rules: { "title-missing": "warning" } }));
    expect(await titles()).toEqual(["title-missing warning templates/one.html:1 one"]);
  });

  it.each([
    [{ extends: "strict" }, 'check.extends: expected "recommended" or "all"'],
    [{ rules: { "image-atl": "off" } }, "check.rules.image-atl: there is no such rule; did you mean image-alt?"],
    [{ rules: { "image-alt": "none" } }, "check.rules.image-alt: "],
    [{ rule: {} }, "check.rule: unknown key; did you mean rules?"],
    [{ overrides: [{ template: "a", rules: {} }] }, "check.overrides.0.template: unknown key; did you mean templates?"],
    [{ rawVariables: [1] }, "check.rawVariables.0: "],
  ])("refuses the configuration %j", async (wrong, message) => {
    const project = new TestProject({ ...htmlTemplate("one"), ...config(wrong) });
    expect(await project.run(["check"])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("looks for the rules that --rule names, and refuses others", async () => {
    const project = new TestProject(htmlTemplate("one", image));
    const { document } = await check(project, ["--rule", "image-alt", "--rule", "subject-missing, preheader"]);
    expect(document.only).toEqual(["image-alt", "subject-missing", "preheader"]);
    expect(await project.run(["check", "--rule", "image-atl"])).toMatchObject({
      code: 2,
      stderr: "--rule image-atl: there is no such rule; did you mean image-alt?\n",
    });
  });

  it("shows warnings and errors, and more or less on request", async () => {
    const body = '<p>a</p><img src="https://a.example/b.png"><img src="https://a.example/c.png" alt="image">';
    const project = new TestProject({ "templates/one.html": `<html><head></head><body>${body}</body></html>` });
    const rules = ["check", "--rule", "image-alt,viewport"];
    const shown = async (...args: readonly string[]) => {
      const { stdout } = await project.run([...rules, ...args]);
      return ["b.png has", "c.png is", "no viewport"].filter((words) => stdout.includes(words));
    };
    expect(await shown()).toEqual(["b.png has", "c.png is"]);
    expect(await shown("--level", "info")).toEqual(["b.png has", "c.png is", "no viewport"]);
    expect(await shown("--max", "1")).toEqual(["b.png has"]);
    expect(await shown("--quiet")).toEqual([]);
    expect(await shown("--format", "json")).toEqual(["b.png has", "c.png is", "no viewport"]);
    expect(await shown("--format", "github", "--level", "warning")).toEqual(["b.png has", "c.png is"]);
    expect(await shown("--json", "--max", "1")).toEqual(["b.png has"]);
    expect(await shown("--format", "sarif", "--quiet")).toEqual([]);
    expect((await project.run([...rules, "--level", "loud"])).code).toBe(2);
    expect((await project.run([...rules, "--max", "none"])).code).toBe(2);
  });

  it("takes patterns of names, and refuses one that no template matches", async () => {
    const project = new TestProject({
      ...htmlTemplate("order-a", image),
      ...htmlTemplate("order-b", image),
      ...htmlTemplate("bye", image),
    });
    const { found } = await check(project, [...ONLY_IMAGES, "order-*"]);
    expect(found.map((each: string) => each.split(" ").at(-1))).toEqual(["order-a", "order-b"]);
    expect(await project.run(["check", "x-*"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No template matches "x-*".'),
    });
  });

  it("says which project it checks where the named folder has none of its own", async () => {
    const project = new TestProject({ ...htmlTemplate("one"), "packages/shop/README.md": "" });
    const cwd = project.path("packages/shop");
    expect((await project.run(["check", "--cwd", cwd])).stderr).toContain(`This checks ${project.folder}.`);
    expect((await project.run(["check", "--cwd", project.folder])).stderr).toBe("");
  });

  it("explains a rule, and refuses others", async () => {
    const project = new TestProject({});
    expect(await project.run(["check", "--explain", "image-alt"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^# image-alt\n[^]+## How to fix/),
    });
    expect(await project.run(["check", "--explain", "../rules"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no such rule"),
    });
  });

  it("says what it could not check, and never that nothing was found then", async () => {
    const project = new TestProject({
      ...htmlTemplate("one"),
      ...htmlTemplate("two", "{{#a}}\n{{/b}}"),
      ...config({ rules: { "mustache-syntax": "off" } }),
      "templates/three/template.json": "{}",
    });
    const { code, found, document } = await check(project);
    expect(found).toEqual([
      "template-no-body error templates/three:undefined three",
      "mustache-syntax error templates/two/two.html:4 two",
      "mustache-syntax error templates/two/two.html:5 two",
    ]);
    expect(code).toBe(1);
    expect(document).toMatchObject({ unchecked: ["three", "two"], summary: { templates: 1 } });
    const { stdout } = await project.run(["check"]);
    expect(stdout).toMatch(/^1 of 3 templates checked: \d errors?/m);
    expect(stdout).toContain("Not checked any further, for it does not compile: three and two.");
    expect(stdout).toContain("The configuration can't lower this level");
  });

  it("says that a comment can't silence what keeps a template from compiling", async () => {
    const project = new TestProject(htmlTemplate("two", "x\n{{! lettershop-ignore mustache-syntax }}\n{{#a}}"));
    const { stdout } = await project.run(["check"]);
    expect(stdout).toContain("is never closed");
    expect(stdout).toContain("A comment can't silence mustache-syntax here");
  });

  it("fails by --max-warnings, counting what a shared part causes once", async () => {
    const project = new TestProject(withPart(image));
    expect(await project.run(["check", ...ONLY_IMAGES, "--max-warnings", "1"])).toMatchObject({ code: 0 });
    expect(await project.run(["check", ...ONLY_IMAGES, "--max-warnings", "0"])).toMatchObject({
      code: 1,
      stderr: "1 warning, and --max-warnings allows 0.\n",
    });
  });
});

describe("check --fix", () => {
  it("fixes what it can, keeps the rest of the file as it is, and reports what is left", async () => {
    const project = new TestProject(
      withPart(`<p>\r\n<img src="https://a.example/b.png" width="1" height="1">\r\n${image}</p>\r\n`),
    );
    const before = await check(project);
    expect(before.found).toHaveLength(2);
    const { document, found } = await check(project, [...ONLY_IMAGES, "--fix"]);
    expect(document.fixed).toMatchObject([
      { rule: "image-alt", at: { line: 2 }, templates: ["one", "two"], fixable: true },
    ]);
    expect(found).toEqual(["image-alt warning templates/_shared/part.html:3 one,two"]);
    const part = readFileSync(project.path("templates/_shared/part.html"), "utf8");
    expect(part.split("\r\n")).toHaveLength(4);
    expect(part.split("\r\n")[1]).toMatch(/^<img (?=.*\balt="")/);
    expect(part.split("\r\n")[2]).toBe(`${image}</p>`);

    const again = await project.run(["check", ...ONLY_IMAGES, "--fix"]);
    expect(again.stdout).toContain("Fixed: nothing.");
    expect(readFileSync(project.path("templates/_shared/part.html"), "utf8")).toBe(part);
  });

  it("makes changes that readers may see only with --unsafe", async () => {
    const body = '<html><body><a href="http://a.example/b">Open</a></body></html>';
    const project = new TestProject({ "templates/one.html": body });
    const rules = ["--rule", "insecure-address,doctype-missing"];
    const { document } = await check(project, [...rules, "--fix"]);
    expect(document).toMatchObject({ fixed: [], diagnostics: [{ fixable: false }, { fixable: false }] });
    expect((await project.run(["check", ...rules])).stdout).toContain(
      "Fixable with changes that readers may see: 2 findings. Fix with --fix --unsafe.",
    );
    expect(await check(project, [...rules, "--fix", "--unsafe"])).toMatchObject({ found: [] });
    expect(readFileSync(project.path("templates/one.html"), "utf8")).toBe(
      `<!doctype html>\n${body.replace("http:", "https:")}`,
    );
    expect(await project.run(["check", "--unsafe"])).toMatchObject({ code: 2 });
  });

  it("does not touch what is silenced or turned off", async () => {
    const pixel = '<img src="https://a.example/b.png" width="1" height="1">';
    const project = new TestProject(withPart(`<p>\n{{! lettershop-ignore image-alt: wanted }}\n${pixel}\n</p>`));
    expect((await check(project, [...ONLY_IMAGES, "--fix"])).document.fixed).toEqual([]);
    project.write({ ...withPart(pixel), ...config({ rules: { "image-alt": "off" } }) });
    expect((await check(project, [...ONLY_IMAGES, "--fix"])).document.fixed).toEqual([]);
    expect(readFileSync(project.path("templates/_shared/part.html"), "utf8")).toBe(pixel);
  });
});

describe("lettershop-ignore", () => {
  const src = "https://a.example/b.png";
  const mjml = (body: string) =>
    `<mjml><mj-head><mj-title>Hi</mj-title></mj-head><mj-body><mj-section><mj-column>\n${body}\n</mj-column></mj-section></mj-body></mjml>`;
  const tsx = (body: string) =>
    `export const subject = "Hi";\nexport default () => (\n<html lang="en"><body>\n${body}\n</body></html>\n);\n`;
  const html = (body: string) => `<html><head><title>Hi</title></head><body>\n${body}\n</body></html>`;

  /** For each template, what is found in it. */
  async function checkAll(templates: Readonly<Record<string, string>>, rules: string) {
    const files = Object.entries(templates).map(([name, body]) => [`templates/${name}`, body]);
    const { found } = await check(new TestProject(Object.fromEntries(files)), ["--rule", rules]);
    return found.map((each: string) => each.replace(/ templates.* /, " "));
  }

  it("works in every kind of body", async () => {
    const rules = "image-alt,unused-silence";
    const templates = {
      "a.mjml": mjml(`<!-- IGNORE: decoration -->\n<mj-image\n  src="${src}"\n/>`),
      "b.mjml": mjml(`{{! IGNORE: decoration }}\n<mj-image src="${src}" />`),
      "c.mjml": mjml(`<mj-image src="${src}" /> <!-- IGNORE -->`),
      "d.tsx": tsx(`<p>Hi</p>\n{/* IGNORE: decoration */}\n<img\n  src="${src}"\n/>`),
      "e.tsx": tsx(`<p>Hi</p>\n<img // IGNORE: decoration\n  src="${src}"\n/>`),
      "f.html": html(`<!-- IGNORE -->\n<img src="${src}">`),
    };
    const write = (comment: string) =>
      Object.fromEntries(Object.entries(templates).map(([name, body]) => [name, body.replace("IGNORE", comment)]));
    const names = ["a", "b", "c", "d", "e", "f"];
    const found = await checkAll(write("just a comment"), rules);
    expect(found.map((each: string) => each.replace(/ .* /, " "))).toEqual(names.map((name) => `image-alt ${name}`));
    expect(await checkAll(write("lettershop-ignore image-alt"), rules)).toEqual([]);
  });

  it("is for the whole file where that begins with it", async () => {
    const rules = "variable-without-example,unused-silence,doctype-missing";
    const body = "<!doctype html>\n<html><body>{{name}}</body></html>";
    const write = (name: string) => ({
      "a.mjml": `<!-- lettershop-ignore ${name}: none yet -->\n${mjml("<mj-text>{{name}}</mj-text>")}`,
      "b.mjml": `{{! lettershop-ignore ${name}: none yet }}\n${mjml("<mj-text>{{name}}</mj-text>")}`,
      "c.html": `{{! lettershop-ignore ${name}: none yet }}\n${body}`,
    });
    expect(await checkAll(write("image-alt"), rules)).toEqual(
      ["a", "b", "c"].map((name) => `variable-without-example warning ${name}`),
    );
    expect(await checkAll(write("variable-without-example"), rules)).toEqual([]);
  });
});
