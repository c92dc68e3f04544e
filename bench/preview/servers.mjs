// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { memoryOf, processesOf } from "../measure/processes.mjs";

const command = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/**
 * @typedef {object} Tool
 * @property {string} templates The templates folder, relative to the project.
 * @property {(folder: string, port: number) => string[]} command
 * @property {(name: string) => string} pageOf The path of a template's page.
 */

/** @type {Tool} */
export const lettershop = {
  templates: "templates",
  command: (_, port) => [command, "preview", "--port", String(port)],
  pageOf: (name) => `/#/templates/${name}`,
};

/** @type {Tool} */
export const reactEmail = {
  templates: "emails",
  command: (folder, port) => [
    path.join(folder, "node_modules", "react-email", "dist", "cli", "index.mjs"),
    "dev",
    "--dir",
    "emails",
    "--port",
    String(port),
  ],
  pageOf: (name) => `/preview/${name}/${name}`,
};

/**
 * Starts a tool's server and waits until it accepts connections.
 *
 * @param {Tool} tool
 * @param {string} folder
 */
export async function startServer(tool, folder) {
  const port = await freePort();
  const child = spawn(process.execPath, tool.command(folder, port), { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  const ended = once(child, "close");
  const { pid = 0 } = child;
  const isEnded = () => child.exitCode !== null || child.signalCode !== null;
  const base = `http://localhost:${port}`;
  while (!isEnded() && !(await isListening(base))) await new Promise((resolve) => setTimeout(resolve, 10));
  if (isEnded()) throw new Error(`The server ended:\n${printed}`);
  return {
    /** @param {string} name */
    url: (name) => `${base}${tool.pageOf(name)}`,
    memory: () => memoryOf(pid),
    async stop() {
      const all = processesOf(pid);
      child.kill("SIGINT");
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 3000))]);
      for (const each of all) {
        try {
          process.kill(each, "SIGKILL");
        } catch {
          // Already ended.
        }
      }
      await ended;
    },
  };
}

/** @param {string} url */
async function isListening(url) {
  try {
    await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(60_000) });
    return true;
  } catch {
    return false;
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}
