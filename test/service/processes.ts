import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const script = fileURLToPath(new URL("./serve.mjs", import.meta.url));

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** Everything written to standard error so far. */
  readonly errors: () => string;
  /** Ends the process with a signal and waits until it has exited. */
  kill(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

/** The service in its own process. */
export async function startProcess(data: string, port = 0, relay?: string): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [script, data, String(port), ...(relay === undefined ? [] : [relay])], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => end(child, "SIGKILL"));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  const [url] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "exit").then(() => Promise.reject(new Error(errors))),
  ]);
  return { url: String(url), pid: Number(child.pid), errors: () => errors, kill: (signal) => end(child, signal) };
}

async function end(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}
