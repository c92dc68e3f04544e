// Applications outside the repository, and functions that run programs in them.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rename, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Contains all applications. The space in its name is intentional: users have such folders. */
export const folder = await mkdtemp(path.join(tmpdir(), "lettershop packed-"));

/** The `node_modules` of the last application that shares its packages. */
let sharedModules = "";

/** Ends a process that hangs, such as a bundle whose connections keep it running. */
const TIMEOUT_MS = 300_000;

/** The environment variables of this process that an application would also have. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !name.startsWith("npm_") && !name.startsWith("LETTERSHOP_") && name !== "CI" && name !== "NODE_ENV",
  ),
);

export async function pack() {
  const { stdout } = await run(root, "npm", ["pack", "--silent", "--pack-destination", folder]);
  return path.join(folder, stdout.trim().split("\n").at(-1));
}

/**
 * Creates an application without files. It takes over the installed packages of the previous application, which is finished. npm
 * keeps those that fit and removes the rest, in half the time of a new installation.
 *
 * @param {{ isShared?: boolean }} [options] False for an application that installs everything itself and keeps it until the end.
 */
export async function emptyApp(name, manifest, { isShared = true } = {}) {
  const app = path.join(folder, name);
  const modules = path.join(app, "node_modules");
  await mkdir(app);
  if (isShared) {
    if (existsSync(sharedModules)) await rename(sharedModules, modules);
    sharedModules = modules;
  }
  await writeJson(path.join(app, "package.json"), { name: name.replaceAll(" ", "-"), private: true, ...manifest });
  return app;
}

/** Copies an application of `examples/` to a new folder. */
export async function copyExample(example, name, manifest, options) {
  const app = await emptyApp(name, manifest, options);
  const isOwn = (file) => path.basename(file) !== "node_modules";
  await cp(path.join(root, "examples", example), app, { recursive: true, filter: isOwn });
  return app;
}

/** Installs lettershop and other packages in an example, generates its registry and compiles it. */
export async function compiledExample(example, name, tarball, packages) {
  const app = await copyExample(example, name, { type: "module" });
  await npm(app, "install", tarball, "mjml@5", "rolldown@1", "@photostructure/sqlite@1", ...typescript, ...packages);
  await templates(app, "types", "--bodies");
  await node(app, path.join("node_modules", "typescript", "bin", "tsc"), "-p", ".");
  return app;
}

/** The packages that a TypeScript application installs. */
export const typescript = ["typescript@7", "@types/node@22", "@types/react@19"];

/** Runs `npm`. */
export function npm(app, ...args) {
  return run(app, "npm", [...args, "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]);
}

/** Runs the package's command in an application. */
export function templates(app, ...args) {
  return node(app, commandOf(app), ...args);
}

/** Runs a script with the Node of this process. */
export function node(app, ...args) {
  return run(app, process.execPath, args);
}

/** The file of the package's command. */
export function commandOf(app) {
  return path.join(app, "node_modules", "lettershop", "dist", "cli", "main.js");
}

/**
 * Runs a program to its end.
 *
 * @param {{ variables?: Record<string, string>, mayFail?: boolean }} [options] `variables` are added to the environment. With
 * `mayFail`, an exit code other than 0 is returned instead of thrown.
 */
export async function run(cwd, file, args, { variables = {}, mayFail = false } = {}) {
  const child = spawn(file, args, {
    cwd,
    env: { ...env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32" && file === "npm",
    timeout: TIMEOUT_MS,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  const status = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
  if (status !== 0 && !mayFail)
    throw new Error(
      `${path.basename(file)} ${args.join(" ")} exited with ${status}:\n${shorten(stdout)}\n${shorten(stderr)}`,
    );
  return { status, stdout, stderr };
}

/** The last lines of an output, with long lines cut: stack traces quote minified code. */
function shorten(output) {
  return output
    .trimEnd()
    .split("\n")
    .slice(-40)
    .map((line) => (line.length > 300 ? `${line.slice(0, 300)}…` : line))
    .join("\n");
}

/**
 * Starts a server and waits until it prints that it listens.
 *
 * @param {RegExp} listening Matches the line with the URL in its first group.
 * @param {{ file?: string, variables?: Record<string, string> }} [options] `file` is the program (default: this process's Node).
 */
export async function startServer(cwd, args, listening, { file = process.execPath, variables = {} } = {}) {
  const child = spawn(file, args, { cwd, env: { ...env, ...variables }, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      const match = listening.exec(line);
      if (match) resolve(match[1]);
    });
    child.once("error", reject);
    void ended.then((code) => reject(new Error(`${args[0]} exited with ${code} before it listened.`)));
  });
  return {
    url,
    /** Stops it, and fails unless it exits with 0. */
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      const code = await ended;
      if (code !== 0) throw new Error(`${args[0]} exited with ${code}.`);
    },
    /** Stops it, with any exit code. */
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Starts the local service from the installed package, on a free port. */
export async function startService(app, ...flags) {
  const args = [commandOf(app), "service", "--port", "0", ...flags];
  const service = await startServer(app, args, /^Local service at (\S+)/);
  return { url: service.url, stop: () => service.stop("SIGINT") };
}

export async function writeJson(file, value) {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** The disk usage of a folder in bytes. */
export async function diskUsage(directory) {
  let bytes = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { blocks, size } = await stat(path.join(entry.parentPath, entry.name));
    bytes += blocks === undefined ? size : blocks * 512;
  }
  return bytes;
}
