import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { chromiumFile } from "../preview/chromium.js";
import { filesOf } from "./pipeline-machine.js";
import { htmlTemplate, TestProject } from "../cli/project.js";

const guide = readFileSync(fileURLToPath(new URL("../../docs/guides/designers.md", import.meta.url)), "utf8");
const lines = Array.from(guide.matchAll(/^```sh\n([^]*?)^```$/gm), ([, script = ""]) =>
  script.trim().split("\n"),
).flat();

/** Runs a line like a terminal, with this folder's own `node`. */
function terminal(project: TestProject, environment = {}) {
  const bin = project.path("bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, "node"), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  chmodSync(path.join(bin, "node"), 0o755);
  const env = { HOME: project.folder, ...environment };
  return (line: string, PATH = `${bin}:/usr/bin:/bin`) => {
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], {
      cwd: project.folder,
      env: { ...env, PATH },
      encoding: "utf8",
    });
    return { code: status, output: stdout + stderr };
  };
}

/** Runs a line's command in this process. */
function npx(project: TestProject, line = "", environment = {}) {
  const [program, , ...args] = line.split(" ");
  expect(program).toBe("npx");
  return project.run(args, { HOME: project.folder, ...environment });
}

describe.skipIf(process.platform === "win32")("the guide for designers", () => {
  it("contains these commands", () => {
    expect(lines).toEqual([
      "npm install",
      "npx templates preview --open",
      "npx lettershop init emails --launchers",
      "npx templates preview build --out review",
      "npx templates preview shot --out screenshots",
      "npx templates preview shot --out after --compare screenshots",
      "npx templates init --launchers",
    ]);
  });

  it("creates a project to try, and opens it with the launcher, which installs once", async () => {
    const project = new TestProject();
    const run = terminal(project);
    expect(await npx(project, `${lines[2]} --no-install`)).toMatchObject({ code: 0 });
    expect(existsSync(project.path("emails/templates/receipt/receipt.mjml"))).toBe(true);

    const starter = project.path("emails/Preview.command");
    expect(statSync(starter).mode & 0o111).toBe(0o111);
    const emails = new TestProject({
      "package.json": JSON.stringify({ dependencies: { lettershop: "file:./stub" } }),
      "stub/package.json": JSON.stringify({ name: "lettershop", version: "1.0.0", bin: { templates: "run.cjs" } }),
      "stub/run.cjs": "#!/usr/bin/env node\nconsole.log('templates', ...process.argv.slice(2));\n",
      "Preview.command": readFileSync(starter, "utf8"),
    });
    emails.remove("node_modules");
    const open = terminal(emails, { npm_config_offline: "true", npm_config_audit: "false" });
    const all = `${emails.path("bin")}:${process.env["PATH"]}`;
    const first = open("sh Preview.command", all);
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining("only the first time") });
    expect(first.output).toMatch(/templates preview --open\n$/);
    // npm has just done what is requested.
    emails.write({ "bin/npm": '#!/bin/sh\necho "npm $*"\n' });
    chmodSync(emails.path("bin/npm"), 0o755);
    expect(open("sh Preview.command", all)).toEqual({
      code: 0,
      output: "npm exec --no -- templates preview --open\n",
    });

    const bare = project.path("bare");
    mkdirSync(bare);
    symlinkSync("/usr/bin/dirname", path.join(bare, "dirname"));
    const withoutNode = run(`/bin/sh '${starter}'`, bare);
    expect(withoutNode).toMatchObject({ code: 1, output: expect.stringContaining("Node.js is not installed") });
  });

  it("has launchers for an existing project that change nothing else and use its package manager", async () => {
    const project = new TestProject({ ...htmlTemplate("one"), "pnpm-lock.yaml": "" });
    expect(await npx(project, `${lines[6]} --no-install`)).toMatchObject({ code: 0 });
    expect(existsSync(project.path("templates/receipt"))).toBe(false);
    expect(readFileSync(project.path("Preview.command"), "utf8")).toContain("npx --yes pnpm install");
    const windows = readFileSync(project.path("Preview.cmd"), "utf8");
    expect(windows).toContain("call npx --yes pnpm install\r\n");
    expect(windows.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  it("shares a copy and screenshots, and compares screenshots after a change", async () => {
    const project = new TestProject(htmlTemplate("one"));
    const run = async (line?: string) => npx(project, line, { CHROMIUM_PATH: await chromiumFile() });
    expect(await run(lines[3])).toEqual({ code: 0, stdout: "1 template in review/index.html\n", stderr: "" });
    // The commands themselves are tested with screenshots elsewhere.
    for (const line of lines.slice(4, 6)) expect(await npx(project, `${line} --help`)).toMatchObject({ code: 0 });
    if (process.env["MODE"] !== "long") return;
    expect(await run(lines[4])).toMatchObject({ code: 0 });
    project.write(htmlTemplate("one", "Goodbye {{name}}"));
    expect(await run(lines[5])).toMatchObject({ code: 1, stdout: expect.stringContaining("4 changed") });
  });

  it("has a workflow whose commands accept their flags", async () => {
    const { [".github/workflows/emails.yml"]: workflow = "" } = filesOf("designers.md");
    const steps: readonly { readonly run?: string }[] = parse(workflow).jobs.review.steps;
    const commands = steps.flatMap(({ run }) => (run?.startsWith("npx templates") ? [run] : []));
    expect(commands).toHaveLength(3);
    const project = new TestProject();
    for (const each of commands)
      expect(await npx(project, `${each.replaceAll("${{ runner.temp }}", ".")} --help`)).toMatchObject({ code: 0 });
  });
});
