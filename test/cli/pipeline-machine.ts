import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { TestProject } from "./project.js";
import { removeFolder } from "../remove-folder.js";

const command = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** What some of the scripts need, and not every machine has. */
export const hasCurl = spawnSync("curl", ["--version"]).status === 0;

/** A guide's code blocks, by the file in backquotes that stands above each. */
export function filesOf(guide: string): Record<string, string> {
  const text = readFileSync(fileURLToPath(new URL(`../../docs/guides/${guide}`, import.meta.url)), "utf8");
  return Object.fromEntries(
    [...text.matchAll(/^`([^`\n]+)`:\n\n```\w+\n([^]*?)^```$/gm)].map(([, file = "", content = ""]) => [file, content]),
  );
}

export interface ScriptResult {
  readonly code: number;
  /** Both streams. */
  readonly output: string;
}

/** What runs a pipeline's scripts: a repository that is cloned for each job, and the programs that a runner has. */
export class PipelineMachine {
  readonly folder = mkdtempSync(path.join(tmpdir(), "a pipeline-"));
  readonly caches = this.makeFolder("caches");
  readonly artifacts = this.makeFolder("artifacts");
  private readonly bin = this.makeFolder("bin");

  /** The project's folder is the repository; what it has installed is what `npm ci` installs. */
  constructor(readonly project: TestProject) {
    onTestFinished(() => removeFolder(this.folder));
    const run = `exec '${process.execPath}'`;
    this.addProgram("npm", `[ "$*" = ci ] && ln -s '${project.path("node_modules")}' node_modules`);
    this.addProgram("npx", `[ "$1" = templates ] || exit 127; shift; ${run} '${command}' "$@"`);
    this.addProgram("node", `${run} "$@"`);
    project.write({ ".gitignore": "node_modules\n" });
    project.git("init", "--quiet", "--initial-branch", "main");
    this.commit();
  }

  /** Commits all that was written to the project's folder. */
  commit(): void {
    this.project.git("add", ".");
    this.project.git("commit", "--quiet", "--message", "Change");
  }

  addProgram(name: string, script: string): void {
    const file = path.join(this.bin, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  makeFolder(name: string): string {
    const folder = path.join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** An empty workspace of a job. */
  workspace(): string {
    return mkdtempSync(path.join(this.makeFolder("jobs"), "job "));
  }

  /** Checks a branch out, with those of the repository as `origin`'s. */
  checkOut(workspace: string, branch: string): void {
    this.project.git("clone", "--quiet", "--branch", branch, this.project.folder, workspace);
  }

  /** Runs a script as a runner does: with its own variables and nothing else of this process. */
  async bash(
    script: string,
    { cwd, env, options }: { cwd: string; env: Readonly<Record<string, string>>; options: readonly string[] },
  ): Promise<ScriptResult> {
    const { PATH = "" } = process.env;
    const child = spawn("bash", ["--noprofile", "--norc", ...options, "-c", script], {
      cwd,
      env: { HOME: this.folder, CI: "true", ...env, PATH: `${this.bin}${path.delimiter}${PATH}` },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    const code = await new Promise<number>((resolve) => child.once("close", (ended) => resolve(ended ?? -1)));
    return { code, output };
  }

  /** The text of a file that may not be there. */
  read(...parts: readonly string[]): string | undefined {
    const file = path.join(...parts);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }
}
