import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const ONLY_IMAGES = ["--rule", "image-alt,subject-missing,rule-failed"];
const image = (name: string) => `<img src="https://a.example/${name}.png">`;

/** A repository with these files committed. */
function repositoryOf(files: Readonly<Record<string, string>>): TestProject {
  const project = new TestProject({ ".gitignore": "node_modules\n.lettershop\n", ...files });
  project.git("init", "--quiet", "--initial-branch", "main");
  project.git("add", ".");
  project.git("commit", "--quiet", "--message", "Begin");
  return project;
}

/** The new findings, as `file:line template`. */
async function fresh(project: TestProject, ...args: readonly string[]) {
  const { code, stdout, stderr } = await project.run(["check", "--json", ...ONLY_IMAGES, "--base", "HEAD", ...args]);
  if (stdout === "") throw new Error(stderr);
  const { diagnostics, base } = JSON.parse(stdout);
  const findings = (diagnostics as { at: { file: string; line: number }; templates: readonly string[] }[]).map(
    ({ at, templates }) => `${at.file}:${at.line} ${templates.join(",")}`,
  );
  return { code, findings, known: base?.known, stderr };
}

const old = htmlTemplate("one", `Hello {{name}}\n${image("a")}\n${image("b")}`);

describe("check --base", () => {
  it("reports only new findings, even if old lines move, and doesn't change the checkout", async () => {
    const project = repositoryOf(old);
    project.write(htmlTemplate("one", `Hello {{name}}\n<p>\n${image("c")}\n</p>\n${image("a")}\n${image("b")}`));
    project.write({ "templates/one/untracked.txt": "" });
    const status = project.git("status", "--porcelain=v2", "--branch");
    expect(await fresh(project)).toMatchObject({ findings: ["templates/one/one.html:6 one"], known: 2 });
    expect(project.git("status", "--porcelain=v2", "--branch")).toBe(status);
    expect(project.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    const TMPDIR = project.path(".lettershop/scratch");
    mkdirSync(TMPDIR);
    const asInAHook = { GIT_DIR: ".git", GIT_INDEX_FILE: ".git/index", GIT_PREFIX: "", TMPDIR };
    const pretty = await project.run(["check", ...ONLY_IMAGES, "--base", "HEAD"], asInAHook);
    expect(pretty.stdout).toContain("Not reported: 2 findings already in HEAD.");
    expect(readdirSync(TMPDIR)).toEqual([]);
  });

  it("reports findings that are no longer silenced, and those of an old part in a new template", async () => {
    const part = { "templates/_shared/part.html": `<p>\n${image("a")}\n</p>\n` };
    const silenced = htmlTemplate("two", `{{name}}\n{{! lettershop-ignore image-alt }}\n${image("d")}`);
    const project = repositoryOf({ ...htmlTemplate("one", "{{name}}\n{{> _shared/part}}"), ...part, ...silenced });
    project.write(htmlTemplate("two", `{{name}}\n${image("d")}`));
    project.write(htmlTemplate("three", "{{name}}\n{{> _shared/part}}"));
    expect((await fresh(project)).findings).toEqual([
      "templates/_shared/part.html:2 three",
      "templates/two/two.html:5 two",
    ]);
    expect((await fresh(project, "one")).findings).toEqual([]);
  });

  it("recognises a renamed template, and checks the old commit with current rules", async () => {
    const project = repositoryOf({
      ...old,
      "lettershop.config.json": '{ "check": { "rules": { "image-alt": "off" } } }',
    });
    renameSync(project.path("templates/one"), project.path("templates/eins"));
    renameSync(project.path("templates/eins/one.html"), project.path("templates/eins/eins.html"));
    project.git("add", ".");
    project.write({ "lettershop.config.json": '{ "check": { "rules": { "image-alt": "error" } } }' });
    expect(await fresh(project)).toMatchObject({ findings: [], known: 2, code: 0 });
  });

  it("works in a subfolder of a repository with its own packages, and for a new project", async () => {
    const project = new TestProject({
      ".gitignore": "node_modules\n",
      "README.md": "",
      ...htmlTemplate("hi", `Hello {{name}}\n${image("a")}`),
      "templates/hi/variables.ts": `import { z } from "zod";\nexport default z.object({ name: z.string() });\n`,
    });
    project.git("init", "--quiet");
    project.git("add", "README.md");
    project.git("commit", "--quiet", "--message", "Begin");
    const whenNew = await fresh(project);
    expect(whenNew.findings).toEqual(["templates/hi/hi.html:5 hi"]);
    project.git("add", ".");
    project.git("commit", "--quiet", "--message", "Add");
    expect(await fresh(project)).toMatchObject({ findings: [], known: 1 });
    expect(existsSync(project.path("node_modules/mjml"))).toBe(true);
  });

  it("reports a missing repository or commit", async () => {
    const project = new TestProject(old);
    expect(await project.run(["check", "--base", "HEAD"], { GIT_CEILING_DIRECTORIES: tmpdir() })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("This needs a git repository"),
    });
    const repository = repositoryOf(old);
    expect(await repository.run(["check", "--base", "no-such"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('git can\'t find the commit "no-such" here'),
    });
    expect((await repository.run(["check", "--base=--output=x"])).code).toBe(2);
  });
});
