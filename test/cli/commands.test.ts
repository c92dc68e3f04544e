import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands.js";
import { createTemplate } from "../../src/cli/scaffold/create-template.js";
import { starters } from "../../src/cli/scaffold/starters.js";
import { htmlTemplate, TestProject } from "./project.js";

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

describe("templates", () => {
  it("lists every command, and shows each one's usage and an example", async () => {
    const project = new TestProject();
    const general = await project.run(["--help"]);
    expect(general).toMatchObject({ code: 0, stderr: "" });
    for (const name of Object.keys(commands)) {
      const summary = commands[name]?.summary ?? "";
      expect(general.stdout).toMatch(new RegExp(`^  ${name} +${escapeRegExp(summary)}$`, "m"));
      const { code, stdout } = await project.run([name, "--help"]);
      expect({ name, code }).toEqual({ name, code: 0 });
      expect(stdout.startsWith(`${summary}.\n\nUsage: templates ${name}`)).toBe(true);
      expect(stdout).toMatch(new RegExp(`^  templates ${name}`, "m"));
      expect(stdout).not.toContain("undefined");
    }
  });

  it("shows a subcommand's own flags", async () => {
    const project = new TestProject();
    const { stdout } = await project.run(["preview", "build", "--help"]);
    expect(stdout).toMatch(/^Usage: templates preview build \[flags\]$/m);
    expect(stdout).toMatch(/^ {2}--out DIR /m);
    expect(stdout).not.toMatch(/--width|--port|--open|shot/);
    const shot = (await project.run(["help", "preview", "shot"])).stdout;
    expect(shot).toMatch(/^Usage: templates preview shot \[names…\] \[flags\]$/m);
    expect(shot).toMatch(/--width N,N .*--compare DIR /s);
    expect(shot).not.toMatch(/--port|--open|preview build/);
  });

  it("refuses unknown commands and flags with a suggestion and exit code 2", async () => {
    const project = new TestProject();
    expect(await project.run(["synk"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: 'There is no command "synk".\nDid you mean: templates sync?\n',
    });
    expect(await project.run(["sync", "--drt-run"])).toMatchObject({
      code: 2,
      stderr: 'Unknown flag --drt-run for "templates sync".\nDid you mean --dry-run?\n',
    });
    expect(await project.run(["constructor"])).toMatchObject({ code: 2 });
    expect(await project.run([])).toMatchObject({ code: 2 });
    expect(JSON.parse((await project.run(["synk", "--json"])).stdout)).toMatchObject({ error: { code: "usage" } });
  });

  it.each(["mjml", "react", "html"])("new --%s creates a template that builds, checks and renders", async (engine) => {
    const project = new TestProject();
    const { code, stdout } = await project.run(["new", "order-shipped", `--${engine}`]);
    const body = `order-shipped.${engine === "react" ? "tsx" : engine}`;
    const files = [body, "template.json", "variables.ts", "fixtures/default.json"];
    expect([code, stdout]).toEqual([
      0,
      files.map((file) => `  ${path.join("templates/order-shipped", file)}\n`).join(""),
    ]);
    const built = await project.run(["build", "--out", "out"]);
    expect(built).toMatchObject({ code: 0, stdout: "1 template compiled in out.\n", stderr: "" });
    expect(readFileSync(project.path("out/order-shipped/body.html"), "utf8")).toContain('href="{{url}}"');
    expect(readFileSync(project.path("out/order-shipped/subject.txt"), "utf8")).toBe("Order shipped, {{{name}}}");
    expect(await project.run(["check"])).toMatchObject({ code: 0 });
    expect((await project.run(["render", "order-shipped"])).stdout).toMatch(
      /^Subject: Order shipped, Ada\n\n[^]*Hello Ada,/,
    );
    expect(await project.run(["new", "order-shipped"])).toMatchObject({
      code: 2,
      stderr: 'A template "order-shipped" already exists.\n',
    });
    expect(await project.run(["new", "Order"])).toMatchObject({ code: 2 });
  });

  it("has starters that each build alone under a new name", async () => {
    const all = await starters();
    const roots = all.map(({ name }) => `for-${name}`);
    const project = new TestProject({ "lettershop.config.json": JSON.stringify({ templates: roots }) });
    for (const { name: starter, engine } of all) {
      const { folder } = project;
      const at = { folder, roots: [project.path(`for-${starter}`)] };
      expect((await createTemplate(at, { name: `my-${starter}`, engine, starter })).kept).toEqual([]);
    }
    expect(await project.run(["build", "--out", "out"])).toMatchObject({
      code: 0,
      stdout: "6 templates compiled in out.\n",
    });
    const rules = ["unused-file", "part-missing", "asset-missing"];
    expect((await project.run(["check", "--rule", rules.join()])).stdout).toContain(
      "6 templates checked: no findings of these rules",
    );
  });

  it("build writes the listed templates, keeps those that failed, and removes only those that no longer exist", async () => {
    const project = new TestProject({ ...htmlTemplate("one"), ...htmlTemplate("two"), "out/kept.txt": "mine" });
    expect(await project.run(["build", "--out", "out"])).toMatchObject({ code: 0 });
    project.write({ "templates/one/template.json": '{\n  "subject": "Hi",\n  "subjct": 1\n}' });
    const broken = await project.run(["build", "--out", "out", "--json"]);
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.stdout)).toMatchObject({
      templates: ["two"],
      diagnostics: [{ rule: "metadata-unknown-key", at: { line: 3, column: 3 } }],
    });
    expect(existsSync(project.path("out/one/body.html"))).toBe(true);
    project.write({ "templates/one/template.json": '{ "subject": "Hi", }' });
    const { stderr } = await project.run(["build", "--out", "out"]);
    expect(stderr).toContain("templates/one/template.json:1:");
    expect(existsSync(project.path("out/kept.txt"))).toBe(true);
    const manifest = JSON.parse(readFileSync(project.path("out/manifest.json"), "utf8"));
    expect(manifest.templates.map(({ name }: { name: string }) => name)).toEqual(["one", "two"]);
  });

  it("keeps its own files out of git, also in a clone", async () => {
    const project = new TestProject({ ".gitignore": "node_modules\n", ...htmlTemplate("one") });
    project.git("init", "--quiet");
    project.git("add", ".");
    project.git("commit", "--quiet", "--message", "Templates");
    expect(await project.run(["check"])).toMatchObject({ code: 0 });
    expect(existsSync(project.path(".lettershop/cache"))).toBe(true);
    expect(project.git("status", "--porcelain")).toBe("");
  });

  it("types writes the registry, and --check reports if it is out of date and what changes for callers", async () => {
    const project = new TestProject({ ...htmlTemplate("one"), "src/index.ts": "" });
    expect(await project.run(["types", "--check"])).toMatchObject({ code: 1 });
    expect(await project.run(["types"])).toMatchObject({
      code: 0,
      stdout: "  one is new\nWrote src/templates.gen.ts.\n",
    });
    expect(await project.run(["types", "--check"])).toMatchObject({ code: 0 });
    project.write(htmlTemplate("one", "Hello {{name}} of {{company}}"));
    project.write({ "templates/one/fixtures/default.json": JSON.stringify({ name: "Ada", company: "Engines" }) });
    const outdated = await project.run(["types", "--check"]);
    expect(outdated).toMatchObject({ code: 1 });
    expect(outdated.stdout).toContain("one: company is new (string)");
    expect(readFileSync(project.path("src/templates.gen.ts"), "utf8")).not.toContain("company");
  });

  it("callers of a React template pass the component's props, without conditions", async () => {
    const project = new TestProject({
      "templates/hello.tsx": `export const subject = "Hello";
export default function Hello({ vip, note, items }: { vip: boolean; note: string | null; items: string[] }) {
  return <html lang="en"><body><p>{vip ? "VIP" : "Guest"}</p><p>{note ?? "No note"}</p>{items.length > 0 && <p>Some</p>}</body></html>;
}
Hello.PreviewProps = { vip: true, note: null, items: ["a"] };
`,
      "src/index.ts": "",
    });
    expect(await project.run(["types"])).toMatchObject({ code: 0 });
    const [, members = ""] =
      /interface HelloVariables \{\n([^}]*)\}/.exec(readFileSync(project.path("src/templates.gen.ts"), "utf8")) ?? [];
    expect(members.trim().split(/\n\s*/)).toEqual([
      "vip: boolean;",
      "note: string | null;",
      "items: readonly string[];",
    ]);
    expect((await project.run(["render", "hello", "--part", "text"])).stdout).toBe("VIP\n\nNo note\n\nSome\n");
  });

  it("check prints each format, and fails by --max-warnings", async () => {
    const project = new TestProject({
      ...htmlTemplate("one"),
      "templates/one/template.json": JSON.stringify({ subject: "Hi {{nme}}" }),
    });
    for (const format of ["pretty", "json", "github", "sarif", "junit"]) {
      const { code, stdout } = await project.run(["check", "--format", format, "--max-warnings", "0"]);
      expect({ format, code }).toEqual({ format, code: 1 });
      expect(stdout).toContain("nme");
    }
    expect(await project.run(["check"])).toMatchObject({ code: 0, stdout: expect.stringContaining("1 warning") });
    expect((await project.run(["check", "--format", "xml"])).code).toBe(2);
  });

  it("refuses an unknown template", async () => {
    const project = new TestProject(htmlTemplate("receipt"));
    expect(await project.run(["render", "reciept"])).toMatchObject({
      code: 2,
      stderr: 'There is no template "reciept" in templates.\nDid you mean receipt?\n',
    });
    expect(await project.run(["render", "receipt", "--fixture", "defalt"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean default?"),
    });
  });

  it("check does not rely on an earlier build", async () => {
    const project = new TestProject(htmlTemplate("welcome"));
    expect(await project.run(["build"])).toMatchObject({ code: 0 });
    const cache = project.path(".lettershop", "cache");
    for (const name of readdirSync(cache)) {
      const file = path.join(cache, name);
      writeFileSync(file, readFileSync(file, "utf8").replaceAll("Hello", "Howdy"));
    }
    expect((await project.run(["render", "welcome"])).stdout).toContain("Howdy");
    expect((await project.run(["check"])).stdout).not.toContain("not-reproducible");
  });

  it("build reports a missing templates folder", async () => {
    const { code, stderr } = await new TestProject().run(["build"]);
    expect(code).toBe(1);
    expect(stderr).toContain("doesn't exist");
  });
});
