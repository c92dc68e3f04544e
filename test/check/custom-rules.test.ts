import path from "node:path";
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadCustomRules } from "../../src/check/custom-rules.js";
import { checkCompiled } from "../../src/check/index.js";
import { compileAll } from "../../src/render/compile.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import { htmlTemplate, TestProject } from "../cli/project.js";
import { useProjects } from "../render/project.js";

const LOUD = '<b class="loud">HURRY</b>';

const noShouting = `defineRule({
  id: "no-shouting",
  summary: "A text is in capitals.",
  severity: "warning",
  *checkTemplate({ document, template, compiled, settings }) {
    if (settings.network || compiled.name !== template.name) throw new Error("Not what it should be.");
    for (const element of document.elements)
      if (element.attributes.get("class") === "loud") yield { message: \`<\${element.name}> shouts.\`, at: element.at() };
  },
})`;

/** A configuration with these rules, and what its code says before. */
function configWith(rules: readonly string[], before = "", from = "lettershop/check"): string {
  return `import { defineRule } from "${from}";
${before}
export default { check: { custom: [${rules.join(", ")}] } };
`;
}

describe("a project with custom rules", () => {
  const projectWith = (rules: readonly string[], files: Readonly<Record<string, string>> = {}): TestProject =>
    new TestProject({ "lettershop.config.ts": configWith(rules), ...files });

  it("treats them like others: configured, silenced and selected by id", async () => {
    const overview = `defineRule({
      id: "few-templates", summary: "There are few.", severity: "info",
      checkAll: async ({ checked, results, files }) => [{
        message: [results.length, checked.map(({ document }) => document.named("p").length), files?.all.length].join(" "),
      }],
    })`;
    const spy = `defineRule({
      id: "no-keys", summary: "x", severity: "info",
      checkTemplate: () => [{ message: "Key: " + process.env.LETTERSHOP_API_KEY }],
    })`;
    const silence = "{{! lettershop-ignore no-shouting: wanted }}";
    const project = projectWith([noShouting, overview, spy], {
      ...htmlTemplate("loud", `Hello {{name}}\n${LOUD}`),
      ...htmlTemplate("silenced", `Hello {{name}}\n${silence}\n${LOUD}`),
      ...htmlTemplate("quiet", `Hello {{name}}\n${silence}\n<b>HURRY</b>`),
    });
    const keys = { LETTERSHOP_API_KEY: "sk-secret" };
    const all = await project.run(["check", "--json"], keys);
    expect(all.code).toBe(0);
    // Nothing of the machine's.
    expect(all.stdout).not.toContain(realpathSync(project.folder));
    expect(all.stdout).not.toContain("sk-secret");
    const found: { rule: string; message: string }[] = JSON.parse(all.stdout).diagnostics;
    const of = (id: string) => found.filter(({ rule }) => rule === id);
    expect(of("no-shouting")).toEqual([
      {
        rule: "no-shouting",
        severity: "warning",
        message: "<b> shouts.",
        at: { file: "templates/loud/loud.html", line: 5, column: 1 },
        templates: ["loud"],
        fixable: false,
      },
    ]);
    expect(of("unused-silence")).toMatchObject([{ templates: ["quiet"], at: { line: 5, column: 1 } }]);
    expect(of("few-templates")).toMatchObject([{ severity: "info", message: "3 1,1,1 9", templates: [] }]);
    expect(of("no-keys").map(({ message }) => message)).toContain("Key: undefined");

    const only = await project.run(["check", "--json", "--rule", "no-shouting"]);
    expect(JSON.parse(only.stdout)).toMatchObject({ diagnostics: [{ rule: "no-shouting" }], only: ["no-shouting"] });
  });

  it.each([
    [
      "a rule that is a plain object",
      '{ id: "no-shouting", summary: "A text is in capitals.", severity: "warning", checkTemplate: () => [] }',
      'Define rules with defineRule from "lettershop/check".',
    ],
    ["an id that is taken", noShouting.replace('"no-shouting"', '"image-alt"'), 'a rule "image-alt" already exists'],
  ])("is not checked with %s", async (_, rule, expected) => {
    const { code, stderr } = await projectWith([rule]).run(["check", "--json"]);
    expect(code).toBe(2);
    expect(stderr).toContain(expected);
  });
});

describe("failing rules", () => {
  const projects = useProjects();
  const defineRule = fileURLToPath(new URL("../../dist/check/rule.js", import.meta.url));

  /** What rules find in two templates, with what became of those that could not. */
  async function check(ids: readonly string[], rules: readonly string[], { before = "", timeoutMs = 60_000 } = {}) {
    const folder = await projects.write({
      ...htmlTemplate("one", LOUD),
      ...htmlTemplate("two"),
      "lettershop.config.ts": configWith(rules, before, defineRule),
    });
    const { templates } = loadTemplates([path.join(folder, "templates")]);
    const context = projects.context();
    const custom = await loadCustomRules({
      host: context.host,
      configFile: path.join(folder, "lettershop.config.ts"),
      custom: ids.map((id) => ({ id, summary: "x", severity: "info" })),
      timeoutMs,
    });
    const found = await checkCompiled(await compileAll(templates, context), { rules: custom.rules });
    return [...found, ...custom.failed].map(({ at, ...others }) => ({
      ...others,
      ...(at && { at: { ...at, file: path.relative(folder, at.file) } }),
    }));
  }

  const rule = (id: string, result: string) =>
    `defineRule({ id: "${id}", summary: "x", severity: "info", checkTemplate: () => ${result} as never })`;

  it("are reported with the template and the place, and the rest is checked", async () => {
    const throwing = `defineRule({ id: "few-templates", summary: "x", severity: "info", checkTemplate })`;
    const before = `function checkTemplate({ template }) {
  if (template.name === "two") throw new TypeError("Oh no.");
  return [];
}`;
    const wrong = [rule("a", "[{ message: 1 }]"), rule("b", '[{ message: "x", line: 1 }]')];
    const found = await check(["no-shouting", "few-templates", "a", "b"], [noShouting, throwing, ...wrong], { before });
    expect(found.filter((each) => each.template === "two")).toMatchObject([
      {
        rule: "rule-failed",
        severity: "error",
        message: "The rule few-templates failed for two: TypeError: Oh no.",
        at: { file: "lettershop.config.ts", line: 3, column: 38 },
      },
      { message: expect.stringContaining("The rule a failed ") },
      { message: expect.stringContaining("The rule b failed ") },
    ]);
    expect(found.filter((each) => each.template === "one")).toMatchObject([
      { rule: "no-shouting", message: "<b> shouts." },
      { message: expect.stringMatching(/^The rule a failed .* one: It returned an invalid finding: 0\.message: /) },
      { message: expect.stringMatching(/^The rule b failed .* one: It returned an invalid finding: 0: /) },
    ]);
  });

  it.each([
    ["process.exit(3)", "process.exit(3) was called."],
    ["new Promise(() => {})", "lettershop.config.ts did not finish within 0.3 s."],
  ])("end all custom checks: %s", async (result, message) => {
    const found = await check(["a"], [rule("a", result)], { timeoutMs: 300 });
    expect(found).toMatchObject([{ rule: "rule-failed", message: `The project's own rules were stopped: ${message}` }]);
  });

  it("are rejected at once if they have no check", async () => {
    const idle = '{ id: "no-shouting", summary: "x", severity: "info" }';
    await expect(check(["no-shouting"], [idle])).rejects.toMatchObject({
      name: "ConfigurationError",
      hint: expect.stringContaining("Create it with defineRule"),
    });
  });
});
