// @ts-check
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Starts a server in a separate process, which reports its URL.
 *
 * @param {URL} file
 * @param {...string} args
 * @returns {Promise<{ readonly url: string, readonly ask: (message: number) => Promise<void>, readonly close: () => Promise<void> }>}
 */
export async function startServer(file, ...args) {
  const child = fork(fileURLToPath(file), args);
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    child.on("message", resolve);
    child.on("exit", (code) => reject(new Error(`${file.pathname} ended with ${code} before it listened.`)));
  });
  return {
    url: String(url),
    /** Sends it a message and waits for its answer. */
    async ask(message) {
      const answered = new Promise((resolve) => child.once("message", resolve));
      child.send(message);
      await answered;
    },
    async close() {
      child.disconnect();
      await ended;
    },
  };
}
