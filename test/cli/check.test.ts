import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const ONLY_IMAGES = ["--rule", "image-alt,unused-silence"];
const image = '<img src="https://a.example/b.png">';

/** Two templates that include a part with findings. */
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

/** The findings, as `rule severity file:line template,template`. */
async function check(project: TestProject, args: readonly string[] = ONLY_IMAGES) {
  const { code, stdout, stderr } = await project.run(["check", "--json", ...args]);
  const document = JSON.parse(stdout);
  const findings = (document.diagnostics ?? []).map(
    ({ rule, severity, at, templates }: Found) => `${rule} ${severity} ${at?.file}:${at?.line} ${templates.join(",")}`,
  );
  return { code, stderr, document, findings };
}

describe("check", () => {
  it("reuses earlier findings only while nothing has changed", async () => {
    const project = new TestProject(withPart(`<p>\n${image}\n</p>`));
    const before = await check(project);
    const folder = path.join(project.folder, ".lettershop", "cache");
    const cacheFiles = readdirSync(folder).map((name) => path.join(folder, name));
    const marked = cacheFiles.filter((file) => readFileSync(file, "utf8").includes("has no alt text"));
    expect(marked).toHaveLength(2);
    for (const file of marked)
      writeFileSync(file, readFileSync(file, "utf8").replaceAll("has no alt text", "was found before"));

    const again = await check(project);
    expect(again.findings).toEqual(before.findings);
    expect(again.document.diagnostics[0].message).toContain("was found before");
    project.write(withPart(`<p>\n\n${image}\n</p>`));
    const changed = await check(project);
    expect(changed.findings).toEqual(["image-alt warning templates/_shared/part.html:3 one,two"]);
    expect(changed.document.diagnostics[0].message).toContain("has no alt text");
  });

  it("reports a finding of a shared part once for several templates, and silences it once", async () => {
    const project = new TestProject(withPart(`<p>\n${image}\n</p>`));
    expect((await check(project)).findings).toEqual(["image-alt warning templates/_shared/part.html:2 one,two"]);
    const pretty = await project.run(["check", ...ONLY_IMAGES]);
    expect(pretty.stdout).toMatch(/^warning The image .* image-alt\n {2}templates.+part\.html:2:\d+ in one and two\n/);
    expect(pretty.stdout).toContain("2 templates checked: 1 warning.");

    project.write(withPart(`<p>\n{{! lettershop-ignore image-alt: a pixel }}\n${image}\n</p>`));
    expect((await check(project)).findings).toEqual([]);
    project.write(withPart("<p>\n{{! lettershop-ignore image-alt: a pixel }}\nText\n</p>"));
    expect((await check(project)).findings).toEqual(["unused-silence warning templates/_shared/part.html:2 "]);
    expect((await check(project, [...ONLY_IMAGES, "one"])).findings).toEqual([]);
  });

  it("uses the severities in the configuration, per template", async () => {
    const project = new TestProject({
      ...htmlTemplate("one", `{{name}} ${image}`),
      ...htmlTemplate("marketing-two", `{{name}} ${image}`),
      ...config({
        rules: { "image-alt": "error" },
        overrides: [{ templates: "marketing-*", rules: { "image-alt": "off" } }],
      }),
    });
    const { code, findings } = await check(project);
    expect(findings).toEqual(["image-alt error templates/one/one.html:4 one"]);
    expect(code).toBe(1);
    project.write(config({ rules: { "image-alt": "off" } }));
    expect(await check(project)).toMatchObject({ code: 0, findings: [] });
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

  it("runs optional rules only if the configuration or the command enables them", async () => {
    const project = new TestProject({ "templates/one.html": "<html><head></head><body>Hello</body></html>" });
    const titles = async (...args: readonly string[]) =>
      (await check(project, args)).findings.filter((each: string) => each.startsWith("title-missing"));
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

  it("runs only the rules of --rule, and refuses unknown ones", async () => {
    const project = new TestProject(htmlTemplate("one", image));
    const { document } = await check(project, ["--rule", "image-alt", "--rule", "subject-missing, preheader"]);
    expect(document.only).toEqual(["image-alt", "subject-missing", "preheader"]);
    expect(await project.run(["check", "--rule", "image-atl"])).toMatchObject({
      code: 2,
      stderr: "--rule image-atl: there is no such rule; did you mean image-alt?\n",
    });
  });

  it("shows warnings and errors, and more or fewer findings with flags", async () => {
    const body = '<p>a</p><img src="https://a.example/b.png"><img src="https://a.example/c.png" alt="image">';
    const project = new TestProject({ "templates/one.html": `<html><head></head><body>${body}</body></html>` });
    const rules = ["check", "--rule", "image-alt,viewport"];
    const linesOf = async (...args: readonly string[]) => {
      const { stdout } = await project.run([...rules, ...args]);
      return ["b.png has", "c.png is", "no viewport"].filter((words) => stdout.includes(words));
    };
    expect(await linesOf()).toEqual(["b.png has", "c.png is"]);
    expect(await linesOf("--level", "info")).toEqual(["b.png has", "c.png is", "no viewport"]);
    expect(await linesOf("--max", "1")).toEqual(["b.png has"]);
    expect(await linesOf("--quiet")).toEqual([]);
    expect(await linesOf("--format", "json")).toEqual(["b.png has", "c.png is", "no viewport"]);
    expect(await linesOf("--format", "github", "--level", "warning")).toEqual(["b.png has", "c.png is"]);
    expect(await linesOf("--json", "--max", "1")).toEqual(["b.png has"]);
    expect(await linesOf("--format", "sarif", "--quiet")).toEqual([]);
    expect((await project.run([...rules, "--level", "loud"])).code).toBe(2);
    expect((await project.run([...rules, "--max", "none"])).code).toBe(2);
  });

  it("accepts patterns of names, and refuses a pattern without matches", async () => {
    const project = new TestProject({
      ...htmlTemplate("order-a", image),
      ...htmlTemplate("order-b", image),
      ...htmlTemplate("bye", image),
    });
    const { findings } = await check(project, [...ONLY_IMAGES, "order-*"]);
    expect(findings.map((each: string) => each.split(" ").at(-1))).toEqual(["order-a", "order-b"]);
    expect(await project.run(["check", "x-*"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No template matches "x-*".'),
    });
  });

  it("names the project that it checks if the folder has no configuration", async () => {
    const project = new TestProject({ ...htmlTemplate("one"), "packages/shop/README.md": "" });
    const cwd = project.path("packages/shop");
    expect((await project.run(["check", "--cwd", cwd])).stderr).toContain(`Checking ${project.folder} instead.`);
    expect((await project.run(["check", "--cwd", project.folder])).stderr).toBe("");
  });

  it("explains a rule, also by a previous ID, and refuses unknown ones", async () => {
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

  it("names templates that it could not check, without saying 'no findings'", async () => {
    const project = new TestProject({
      ...htmlTemplate("one"),
      ...htmlTemplate("two", "{{#a}}\n{{/b}}"),
      ...config({ rules: { "mustache-syntax": "off" } }),
      "templates/three/template.json": "{}",
    });
    const { code, findings, document } = await check(project);
    expect(findings).toEqual([
      "template-no-body error templates/three:undefined three",
      "mustache-syntax error templates/two/two.html:4 two",
      "mustache-syntax error templates/two/two.html:5 two",
    ]);
    expect(code).toBe(1);
    expect(document).toMatchObject({ unchecked: ["three", "two"], summary: { templates: 1 } });
    const { stdout } = await project.run(["check"]);
    expect(stdout).toMatch(/^1 of 3 templates checked: \d errors?/m);
    expect(stdout).toContain("Not fully checked, because of errors when compiling: three and two.");
    expect(stdout).toContain("The configuration can't lower this level");
  });

  it("says that a comment can't silence problems that prevent a template from compiling", async () => {
    const project = new TestProject(htmlTemplate("two", "x\n{{! lettershop-ignore mustache-syntax }}\n{{#a}}"));
    const { stdout } = await project.run(["check"]);
    expect(stdout).toContain("is never closed");
    expect(stdout).toContain("A comment can't silence mustache-syntax here");
  });

  it("fails by --max-warnings, counting each finding of a shared part once", async () => {
    const project = new TestProject(withPart(image));
    expect(await project.run(["check", ...ONLY_IMAGES, "--max-warnings", "1"])).toMatchObject({ code: 0 });
    expect(await project.run(["check", ...ONLY_IMAGES, "--max-warnings", "0"])).toMatchObject({
      code: 1,
      stderr: "Too many warnings: 1. The limit set by --max-warnings is 0.\n",
    });
  });
});

describe("check --fix", () => {
  it("applies fixes without changing the rest of the file, and reports what is left", async () => {
    const project = new TestProject(
      withPart(`<p>\r\n<img src="https://a.example/b.png" width="1" height="1">\r\n${image}</p>\r\n`),
    );
    const before = await check(project);
    expect(before.findings).toHaveLength(2);
    const { document, findings } = await check(project, [...ONLY_IMAGES, "--fix"]);
    expect(document.fixed).toMatchObject([
      { rule: "image-alt", at: { line: 2 }, templates: ["one", "two"], fixable: true },
    ]);
    expect(findings).toEqual(["image-alt warning templates/_shared/part.html:3 one,two"]);
    const part = readFileSync(project.path("templates/_shared/part.html"), "utf8");
    expect(part.split("\r\n")).toHaveLength(4);
    expect(part.split("\r\n")[1]).toMatch(/^<img (?=.*\balt="")/);
    expect(part.split("\r\n")[2]).toBe(`${image}</p>`);

    const again = await project.run(["check", ...ONLY_IMAGES, "--fix"]);
    expect(again.stdout).toContain("Fixed: nothing.");
    expect(readFileSync(project.path("templates/_shared/part.html"), "utf8")).toBe(part);
  });

  it("applies fixes that recipients may notice only with --unsafe", async () => {
    const body = '<html><body><a href="http://a.example/b">Open</a></body></html>';
    const project = new TestProject({ "templates/one.html": body });
    const rules = ["--rule", "insecure-address,doctype-missing"];
    const { document } = await check(project, [...rules, "--fix"]);
    expect(document).toMatchObject({ fixed: [], diagnostics: [{ fixable: false }, { fixable: false }] });
    expect((await project.run(["check", ...rules])).stdout).toContain(
      "Fixable, but recipients may notice the change: 2 findings. To fix, use --fix --unsafe.",
    );
    expect(await check(project, [...rules, "--fix", "--unsafe"])).toMatchObject({ findings: [] });
    expect(readFileSync(project.path("templates/one.html"), "utf8")).toBe(
      `<!doctype html>\n${body.replace("http:", "https:")}`,
    );
    expect(await project.run(["check", "--unsafe"])).toMatchObject({ code: 2 });
  });

  it("does not fix findings that are silenced or turned off", async () => {
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

  /** The findings in each template. */
  async function checkAll(templates: Readonly<Record<string, string>>, rules: string) {
    const files = Object.entries(templates).map(([name, body]) => [`templates/${name}`, body]);
    const { findings } = await check(new TestProject(Object.fromEntries(files)), ["--rule", rules]);
    return findings.map((each: string) => each.replace(/ templates.* /, " "));
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
    const findings = await checkAll(write("just a comment"), rules);
    expect(findings.map((each: string) => each.replace(/ .* /, " "))).toEqual(names.map((name) => `image-alt ${name}`));
    expect(await checkAll(write("lettershop-ignore image-alt"), rules)).toEqual([]);
  });

  it("applies to the whole file at its start", async () => {
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
