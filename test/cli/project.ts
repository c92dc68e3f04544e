import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PassThrough, type Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { compileTemplates } from "../../src/cli/keyless/compile-templates.js";
import type { withKeylessProject } from "../../src/cli/keyless/keyless-project.js";
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
  /** The output so far. */
  stdout(): string;
  /** Resolves once this text was printed on either stream. */
  printed(text: string): Promise<void>;
}

/** An application's folder, with a space in its name and all packages installed. */
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

  /** Runs git in the folder, with a user name. */
  git(...args: readonly string[]): string {
    return git(this.folder, ...args);
  }

  path(...parts: string[]): string {
    return path.join(this.folder, ...parts);
  }

  /** Runs `templates` in this process until it exits, which is ten times faster to start. Only one command runs at a time. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return runCommandHere(this.folder, args, env);
  }

  /** The same, with project code in a separate process without keys, which takes most of the time to start. */
  runKeyless(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return runHere(this.folder, env, (streams) => run(args, { ...streams, signal: new AbortController().signal }));
  }

  /**
   * Runs `templates` in this process until the test stops it with `kill`, which requests a graceful stop. Polling intervals are
   * shortened. Nothing else runs in this process in the meantime.
   */
  begin(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
    const { signal } = stopping;
    const work = () => run(args, { ...streams, signal, withKeylessProject: withProjectHere, wait: hasten });
    return watchOutput(
      streams,
      runHere(this.folder, env, work, streams).then(({ code }) => code),
      { pid: process.pid, kill: () => stopping.abort() },
    );
  }

  /** Starts the real `templates` in a separate process, which is killed at the end of the test. */
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

/** A tenth of the time; polling more often would reach the service's rate limit. */
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

/** For this long after a file was written, its results are not cached; starting a separate process takes longer. */
const UNSETTLED_MS = 25;
let writtenAt = 0;
let latestRun: Promise<unknown> = Promise.resolve();

/** The streams that a command prints to. */
interface Streams {
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
}

/** Runs `templates` and project code in this process. */
export function runCommandHere(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const { signal } = new AbortController();
  return runHere(folder, env, (streams) => run(args, { ...streams, signal, withKeylessProject: withProjectHere }));
}

const withProjectHere: typeof withKeylessProject = (flags, _signal, use) =>
  withProject(flags, (open) =>
    use({
      project: open.project,
      compile: (names, assets, check = false) => compileTemplates(open, names, assets, check),
    }),
  );

/** Runs a function with a command's folder and variables in this process, once earlier calls have ended. */
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

/** Only variables that the system needs are inherited from the shell that runs the tests. */
function systemVariables(): Record<string, string> {
  const { PATH = "", HOME = "", SystemRoot = "" } = process.env;
  return { PATH, HOME, SystemRoot };
}

/** A small valid HTML template. */
export function htmlTemplate(name: string, text = "Hello {{name}}"): Record<string, string> {
  return {
    [`templates/${name}/${name}.html`]: `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${name}</title></head>\n<body><div style="display:none">Preheader of ${name}</div><p>${text}</p></body>\n</html>\n`,
    [`templates/${name}/template.json`]: JSON.stringify({ subject: "For {{name}}" }),
    [`templates/${name}/fixtures/default.json`]: JSON.stringify({ name: "Ada" }),
  };
}

/** In addition to other listeners. */
async function readAll(stream: PassThrough): Promise<string> {
  let text = "";
  stream.setEncoding("utf8").on("data", (part: string) => (text += part));
  await once(stream, "end");
  return text;
}
