import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PassThrough, type Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { compileTemplates } from "../../src/cli/apart/compile-templates.js";
import type { withProjectApart } from "../../src/cli/apart/project-apart.js";
import { withProject } from "../../src/cli/project.js";
import { run } from "../../src/cli/run.js";
import { git } from "../git.js";
import { removeFolder } from "../remove-folder.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const packages = ["mjml", "rolldown", "zod", "react", "react-dom", "@react-email/components", "@photostructure/sqlite"];

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly ended: Promise<Ended>;
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** What was printed so far. */
  stdout(): string;
  /** Resolves once the given text has been printed on either stream. */
  printed(text: string): Promise<void>;
}

/** An application's folder, with a space in its name and everything installed. */
export class TestProject {
  readonly folder = mkdtempSync(path.join(tmpdir(), "an application-"));

  constructor(files: Readonly<Record<string, string>> = {}) {
    onTestFinished(() => removeFolder(this.folder));
    this.write({ "package.json": JSON.stringify({ name: "application", type: "module" }), ...files });
    for (const name of [...packages, "lettershop"]) {
      const link = path.join(this.folder, "node_modules", name);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(name === "lettershop" ? repository : path.join(repository, "node_modules", name), link, "junction");
    }
  }

  write(files: Readonly<Record<string, string | Buffer>>): void {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.dirname(this.path(file)), { recursive: true });
      writeFileSync(this.path(file), content);
    }
    writtenAt = Date.now();
  }

  remove(folder: string): void {
    rmSync(this.path(folder), { recursive: true });
  }

  /** Runs git in the folder, as somebody with a name. */
  git(...args: readonly string[]): string {
    return git(this.folder, ...args);
  }

  path(...parts: string[]): string {
    return path.join(this.folder, ...parts);
  }

  /** Runs `templates` to its end in this process, which starts in a tenth of the time. One command runs at a time. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return runCommandHere(this.folder, args, env);
  }

  /** The same, with the project's own code in a process without keys, which takes most of the command's time to start. */
  runApart(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return runHere(this.folder, env, (streams) => run(args, { ...streams, signal: new AbortController().signal }));
  }

  /**
   * Runs `templates` in this process until the test has seen enough: what `kill` sends asks it to stop in order. What
   * looks again and again does not wait long. Nothing else runs in this process meanwhile.
   */
  begin(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
    const { signal } = stopping;
    const work = () => run(args, { ...streams, signal, withProjectApart: withProjectHere, wait: hasten });
    return watchOutput(
      streams,
      runHere(this.folder, env, work, streams).then(({ code }) => code),
      { pid: process.pid, kill: () => stopping.abort() },
    );
  }

  /** Starts the real `templates` in a process of its own; what is still running when the test ends is killed. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
    const child = spawn(process.execPath, [path.join(repository, "dist/cli/main.js"), ...args], {
      cwd: this.folder,
      env: { ...systemVariables(), ...env },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
    return watchOutput(child, closed, { pid: child.pid ?? 0, kill: (signal) => void child.kill(signal) });
  }
}

/** A tenth of the time: looking more often would meet the service's rate limit. */
async function hasten(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds / 10, undefined, { signal }).catch(() => undefined);
}

function watchOutput(
  streams: { readonly stdout: Readable; readonly stderr: Readable },
  exit: Promise<number | null>,
  running: Pick<Running, "pid" | "kill">,
): Running {
  const printed = { stdout: "", stderr: "" };
  let isEnded = false;
  const waiting = new Set<() => void>();
  const look = (): void => {
    for (const each of waiting) each();
  };
  for (const name of ["stdout", "stderr"] as const)
    streams[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
      look();
    });
  const ended = exit.then((code) => {
    isEnded = true;
    look();
    return { code, ...printed };
  });
  return {
    ...running,
    ended,
    stdout: () => printed.stdout,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const each = (): void => {
          if (printed.stdout.includes(text) || printed.stderr.includes(text)) resolve();
          else if (isEnded) reject(new Error(`Ended without printing ${text}:\n${printed.stdout}\n${printed.stderr}`));
          else return;
          waiting.delete(each);
        };
        waiting.add(each);
        each();
      }),
  };
}

/** So long after a file was written, what is made of it is not kept: a process of its own takes longer to start. */
const UNSETTLED_MS = 25;
let writtenAt = 0;
let latestRun: Promise<unknown> = Promise.resolve();

/** What a command's work prints to. */
interface Streams {
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
}

/** Runs `templates` and the project's own code in this process. */
export function runCommandHere(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const { signal } = new AbortController();
  return runHere(folder, env, (streams) => run(args, { ...streams, signal, withProjectApart: withProjectHere }));
}

const withProjectHere: typeof withProjectApart = (flags, _signal, use) =>
  withProject(flags, (open) =>
    use({
      project: open.project,
      compile: (names, assets, check = false) => compileTemplates(open, names, assets, check),
    }),
  );

/** Lends this process's folder and variables to what a command does, when what was asked before has ended. */
export function runHere(
  folder: string,
  env: Readonly<Record<string, string>>,
  work: (streams: Streams) => Promise<number>,
  streams: Streams = { stdout: new PassThrough(), stderr: new PassThrough() },
): Promise<Ended> {
  const ended = latestRun.then(async () => {
    await new Promise((resolve) => setTimeout(resolve, writtenAt + UNSETTLED_MS - Date.now()));
    const { stdout, stderr } = streams;
    const printed = Promise.all([readAll(stdout), readAll(stderr)]);
    const before = { env: process.env, folder: process.cwd() };
    process.env = { ...systemVariables(), ...env };
    process.chdir(folder);
    try {
      const code = await work({ stdout, stderr });
      stdout.end();
      stderr.end();
      const [result, messages] = await printed;
      return { code, stdout: result, stderr: messages };
    } finally {
      process.chdir(before.folder);
      process.env = before.env;
    }
  });
  latestRun = ended.catch(() => undefined);
  return ended;
}

/** Nothing of the shell that the tests were started from reaches a command, but what its system needs. */
function systemVariables(): Record<string, string> {
  const { PATH = "", HOME = "", SystemRoot = "" } = process.env;
  return { PATH, HOME, SystemRoot };
}

/** A small template in HTML that nothing is wrong with. */
export function htmlTemplate(name: string, text = "Hello {{name}}"): Record<string, string> {
  return {
    [`templates/${name}/${name}.html`]: `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${name}</title></head>\n<body><div style="display:none">Preheader of ${name}</div><p>${text}</p></body>\n</html>\n`,
    [`templates/${name}/template.json`]: JSON.stringify({ subject: "For {{name}}" }),
    [`templates/${name}/fixtures/default.json`]: JSON.stringify({ name: "Ada" }),
  };
}

/** Beside others who listen. */
async function readAll(stream: PassThrough): Promise<string> {
  let text = "";
  stream.setEncoding("utf8").on("data", (part: string) => (text += part));
  await once(stream, "end");
  return text;
}
