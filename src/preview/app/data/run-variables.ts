import type { FixtureReading } from "../../../template/read-fixture.js";
import type { Question } from "./variables-worker.js";

/** As long as a server would wait. */
const LONGEST_MS = 5000;

/**
 * Asks the project's own code in a worker, which ends with its answer. It inherits the page's policy: nothing in it reaches a
 * network.
 *
 * @param script The worker's.
 */
export async function runVariables(script: string, question: Question): Promise<FixtureReading> {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(url);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<FixtureReading>((resolve, reject) => {
      const fail = (what: string) => reject(new Error(`variables.ts ${what}`));
      timer = setTimeout(() => fail(`did not end within ${LONGEST_MS / 1000} s.`), LONGEST_MS);
      worker.addEventListener("message", ({ data }: MessageEvent<FixtureReading>) => resolve(data));
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        fail(`can’t run in this browser: ${event.message}`);
      });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage(question);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
    URL.revokeObjectURL(url);
  }
}
