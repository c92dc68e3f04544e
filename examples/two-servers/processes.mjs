import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Prints a line with the seconds since the start, and the name of who reports it. */
export function print(name, text) {
  console.log(`${(performance.now() / 1000).toFixed(1).padStart(5)}  ${name.padEnd(8)}  ${text}`);
}

/** The servers and workers. Their lines are printed with their names. */
export class Processes {
  #running = new Set();
  #variables;
  #fail;
  #isClosed = false;
  /** Rejects if one of them ends by itself. */
  failed = new Promise((_, reject) => (this.#fail = reject));
  /** Everything that they have printed. */
  output = "";

  /** @param variables Their environment variables, in addition to those of this process. */
  constructor(variables) {
    this.#variables = variables;
  }

  /** Starts a script of this folder, and waits for its first line. */
  async start(name, script) {
    if (this.#isClosed) throw new Error(`${name} can't start any more.`);
    const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
      env: { ...process.env, ...this.#variables },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const started = { name, child, firstLine: "", output: "" };
    this.#running.add(started);
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => {
      print(name, line);
      started.output += `${line}\n`;
      this.output += `${line}\n`;
    });
    child.once("exit", (code, signal) => {
      if (this.#running.has(started)) this.#fail(new Error(`${name} ended with ${signal ?? `exit code ${code}`}.`));
    });
    [started.firstLine] = await Promise.race([once(lines, "line"), this.failed]);
    return started;
  }

  /** Sends a signal to one of them, and waits until it has ended. */
  async end(started, signal) {
    const { name, child } = started;
    this.#running.delete(started);
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    print(name, signal === "SIGKILL" ? "is killed (kill -9)" : "has stopped");
  }

  async endAll(signal) {
    this.#isClosed = true;
    await Promise.all([...this.#running].map((started) => this.end(started, signal)));
  }
}
