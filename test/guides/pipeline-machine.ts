import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { onTestFinished } from "vitest";
import { type Ended, runCommandHere, type TestProject } from "../cli/project.js";
import { removeFolder } from "../remove-folder.js";
import { VERSION } from "../../src/version.js";

/** Whether the machine has the programs that some scripts need. */
export const hasCurl = spawnSync("curl", ["--version"]).status === 0;

export function guideOf(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../docs/guides/${name}`, import.meta.url)), "utf8");
}

/** A guide's code blocks, by the file name in backticks above each. */
export function filesOf(guide: string): Record<string, string> {
  return Object.fromEntries(
    [...guideOf(guide).matchAll(/^`([^`\n]+)`:\n\n```\w+\n([^]*?)^```$/gm)].map(([, file = "", content = ""]) => [
      file,
      content,
    ]),
  );
}

/** A call of a program. */
interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ScriptResult {
  readonly code: number;
  /** The output of both streams. */
  readonly output: string;
}

/** Runs a pipeline's scripts, with a repository that is cloned for each job and a runner's programs. */
export class PipelineMachine {
  readonly folder = mkdtempSync(path.join(tmpdir(), "a pipeline-"));
  readonly artifacts = this.makeFolder("artifacts");
  private readonly bin = this.makeFolder("bin");
  private readonly served: Promise<unknown>;

  /** `npm ci` installs the project's packages; a job without the project may only install lettershop. */
  constructor(readonly project: TestProject) {
    onTestFinished(() => removeFolder(this.folder));
    const installed = project.path("node_modules");
    this.addProgram(
      "npm",
      `case "$*" in
ci) [ -e package.json ] && ln -s '${installed}' node_modules ;;
"install --no-save --ignore-scripts lettershop@${VERSION}") mkdir node_modules && ln -s '${installed}/lettershop' node_modules ;;
*) echo "npm $*: not expected" >&2; exit 1 ;;
esac`,
    );
    const npx = this.serveProgram("npx", ([name, ...args], { folder, env }) =>
      name === "templates" && existsSync(path.join(folder, "node_modules/lettershop"))
        ? runCommandHere(folder, args, env)
        : { code: 127, stdout: "", stderr: `npx: ${name} is not installed` },
    );
    this.served = Promise.all([npx, this.serveProgram("node", print)]);
  }

  /** Turns the project's folder into the repository. */
  init(): void {
    this.project.write({ ".gitignore": "node_modules\n" });
    this.project.git("init", "--quiet", "--template=", "--initial-branch", "main");
    this.commit();
  }

  /** Commits all changes in the project's folder. */
  commit(): void {
    this.project.git("add", ".");
    this.project.git("commit", "--quiet", "--message", "Change");
  }

  addProgram(name: string, script: string, shell = "/bin/sh"): void {
    const file = path.join(this.bin, name);
    writeFileSync(file, `#!${shell}\n${script}\n`);
    chmodSync(file, 0o755);
  }

  /** A program that runs in this process, because that is faster to start. */
  async serveProgram(name: string, run: (args: readonly string[], at: Place) => Ended | Promise<Ended>): Promise<void> {
    const server = createServer((socket) => void handleCall(socket, run)).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    this.addProgram(
      name,
      `exec 3<>/dev/tcp/127.0.0.1/${port}
{ printf '%s\\0' "$PWD" "$#" "$@"; env -0; printf '\\0'; } >&3
IFS= read -r -d '' code <&3
IFS= read -r -d '' stdout <&3
IFS= read -r -d '' stderr <&3
printf %s "$stdout"
printf %s "$stderr" >&2
exit "$code"`,
      "/usr/bin/env bash",
    );
  }

  makeFolder(name: string): string {
    const folder = path.join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** A job's empty workspace. */
  workspace(): string {
    return mkdtempSync(path.join(this.makeFolder("jobs"), "job "));
  }

  /** Checks out a branch, with the repository as `origin`. */
  checkOut(workspace: string, branch: string): void {
    this.project.git("clone", "--quiet", "--shared", "--template=", "--branch", branch, this.project.folder, workspace);
  }

  /** Runs a script like a runner, with only its own variables. */
  async bash(
    script: string,
    { cwd, env, options }: { cwd: string; env: Readonly<Record<string, string>>; options: readonly string[] },
  ): Promise<ScriptResult> {
    await this.served;
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

  /** The contents of a file that may not exist. */
  read(...parts: readonly string[]): string | undefined {
    const file = path.join(...parts);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }
}

/** `node -p`, for the expressions in the guides. */
function print([flag, expression = ""]: readonly string[], { folder }: Place): Ended {
  const fs = { readFileSync: (file: string) => readFileSync(path.join(folder, file)) };
  try {
    if (flag !== "-p") throw new Error(`node ${flag}: not expected`);
    return { code: 0, stdout: `${runInNewContext(expression, { fs })}\n`, stderr: "" };
  } catch (error) {
    return { code: 1, stdout: "", stderr: String(error) };
  }
}

async function handleCall(socket: Socket, run: (args: readonly string[], at: Place) => Ended | Promise<Ended>) {
  let request = "";
  for await (const text of socket.setEncoding("utf8")) {
    request += text;
    const [folder = "", count = "", ...rest] = request.split("\0");
    const [args, variables] = [rest.slice(0, Number(count)), rest.slice(Number(count))];
    const end = variables.indexOf("");
    // The part after the last separator is also empty.
    if (end === -1 || end === variables.length - 1) continue;
    const env = Object.fromEntries(variables.slice(0, end).map((each) => each.split(/=(.*)/s)));
    const { code, stdout, stderr } = await run(args, { folder, env });
    socket.end(`${code}\0${stdout}\0${stderr}\0`);
    return;
  }
}
