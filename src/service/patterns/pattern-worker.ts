import { parentPort } from "node:worker_threads";
import type { PatternAnswer, PatternTask } from "./patterns.js";
import { runPatternTask } from "./compile-pattern.js";

/*
 * The worker's side: compiles and evaluates user-written patterns, one task at a time. It may be terminated at any moment.
 */

parentPort?.on("message", (task: PatternTask) => send(runPatternTask(task)));
send("ready");

function send(message: PatternAnswer | "ready"): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}
