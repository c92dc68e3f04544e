import { realpathSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { htmlTemplate, TestProject } from "../../cli/project.js";

/** A project whose configuration has these rules, and what its code says before. */
function projectWith(rules: string, before = ""): TestProject {
  return new TestProject({
    ...htmlTemplate("one", 'Hello {{name}}\n<b class="loud">HURRY</b>'),
    ...htmlTemplate("two"),
    "lettershop.config.ts": `import { defineConfig } from "lettershop/config";
import { defineRule } from "lettershop/check";
${before}
export default defineConfig({ check: { custom: [${rules}] } });
`,
  });
}

async function check(project: TestProject, ...args: readonly string[]) {
  const { code, stdout, stderr } = await project.run(["check", "--json", ...args]);
  const document = stdout === "" ? {} : JSON.parse(stdout);
  const mine = (document.diagnostics ?? []).filter(({ rule }: { rule: string }) =>
    ["no-shouting", "few-templates", "rule-failed", "unused-silence"].includes(rule),
  );
  return { code, stderr, document, mine };
}

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

describe("defineRule", () => {
  it("is asked for where a rule is a plain object", async () => {
    const rule =
      '{ id: "no-shouting", summary: "A text is in capitals.", severity: "warning", checkTemplate: () => [] }';
    const { code, stderr } = await check(projectWith(rule));
    expect(code).toBe(2);
    expect(stderr).toContain('Make rules with defineRule of "lettershop/check".');
  });

  it("adds a rule that is like the others: configured, silenced and asked for by its id", async () => {
    const project = projectWith(noShouting);
    const { mine, code } = await check(project);
    expect(mine).toEqual([
      {
        rule: "no-shouting",
        severity: "warning",
        message: "<b> shouts.",
        at: { file: "templates/one/one.html", line: 5, column: 1 },
        templates: ["one"],
        fixable: false,
      },
    ]);
    expect(code).toBe(0);
    const only = await check(project, "--rule", "no-shouting");
    expect(only.document).toMatchObject({ diagnostics: [{ rule: "no-shouting" }], only: ["no-shouting"] });

    project.write(
      htmlTemplate("one", 'Hello {{name}}\n{{! lettershop-ignore no-shouting: wanted }}\n<b class="loud">HURRY</b>'),
    );
    expect((await check(project)).mine).toEqual([]);
    project.write(htmlTemplate("one", "Hello {{name}}\n{{! lettershop-ignore no-shouting: wanted }}\n<b>HURRY</b>"));
    expect((await check(project)).mine).toMatchObject([{ rule: "unused-silence", at: { line: 5, column: 1 } }]);
  });

  it("looks at all templates together with checkAll", async () => {
    const rule = `defineRule({
      id: "few-templates", summary: "There are few.", severity: "info",
      checkAll: async ({ checked, results, files }) => [{
        message: [results.length, checked.map(({ document }) => document.named("p").length), files?.all.length].join(" "),
      }],
    })`;
    const { mine } = await check(projectWith(rule));
    expect(mine).toMatchObject([{ rule: "few-templates", severity: "info", message: "2 1,1 6", templates: [] }]);
  });

  it("says what a rule threw, for which template and where, and checks the rest", async () => {
    const project = projectWith(
      `${noShouting}, defineRule({ id: "few-templates", summary: "x", severity: "info", checkTemplate })`,
      `function checkTemplate({ template }) {
  if (template.name === "two") throw new TypeError("Oh no.");
  return [];
}`,
    );
    const { mine, code } = await check(project);
    expect(mine).toMatchObject([
      {
        rule: "rule-failed",
        severity: "error",
        message: "The rule few-templates could not be checked for two: TypeError: Oh no.",
        at: { file: "lettershop.config.ts", line: 4, column: 38 },
        templates: ["two"],
      },
      { rule: "no-shouting" },
    ]);
    expect(code).toBe(1);
  });

  it("takes no nonsense", async () => {
    const rule = (id: string, result: string) =>
      `defineRule({ id: "${id}", summary: "x", severity: "info", checkTemplate: () => ${result} as never })`;
    const wrong = projectWith([rule("a", "[{ message: 1 }]"), rule("b", '[{ message: "x", line: 1 }]')].join(", "));
    expect((await check(wrong, "one")).mine).toMatchObject([
      {
        rule: "rule-failed",
        message: expect.stringMatching(/^The rule a could .* one: It gave no finding: 0\.message: /),
      },
      { rule: "rule-failed", message: expect.stringMatching(/^The rule b could .* one: It gave no finding: 0: /) },
    ]);
    const ending = projectWith(rule("a", "process.exit(3)"));
    expect(await check(ending, "one")).toMatchObject({
      code: 1,
      mine: [{ message: expect.stringContaining("process.exit(3)") }],
    });
    const endless = projectWith(rule("a", "(() => { for (;;); })()"));
    expect((await check(endless)).mine).toMatchObject([
      {
        rule: "rule-failed",
        message:
          "The project's own rules could not be checked any further: lettershop.config.ts did not end within 5 s.",
      },
    ]);
  });

  it("keeps keys out of reach", async () => {
    const rule = `defineRule({
      id: "no-shouting", summary: "x", severity: "info",
      checkTemplate: () => [{ message: "Key: " + process.env.LETTERSHOP_API_KEY }],
    })`;
    const project = projectWith(rule);
    const { stdout } = await project.run(["check", "--json", "one"], { LETTERSHOP_API_KEY: "sk-secret" });
    expect(stdout).toContain("Key: undefined");
    expect(stdout).not.toContain("sk-secret");
  });

  it("is needed: without it a rule is no data, or looks at nothing", async () => {
    const plain = await check(projectWith('{ id: "no-shouting", summary: "x", severity: "info" }'));
    expect(plain).toMatchObject({ code: 2, stderr: expect.stringContaining("Make it with defineRule") });
    const taken = await check(projectWith(noShouting.replace('"no-shouting"', '"image-alt"')));
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining('there is a rule "image-alt" already') });
    const wrong = await check(projectWith(noShouting.replace('"no-shouting"', '"No Shouting"')));
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("check.custom.0.id: expected an id in kebab-case"),
    });
  });

  it("needs the project's folder and nothing of the machine's in its output", async () => {
    const project = projectWith(noShouting);
    const { stdout } = await project.run(["check", "--json"]);
    expect(stdout).not.toContain(realpathSync(project.folder));
  });
});
