/*
 * The worker's side: runs lettershop's tasks, one at a time, in the same thread as user code, and reports the results.
 */
import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { captureOutput } from "./captured-output.js";
import { failureOf } from "./failure.js";
import { watchLanguageObjects } from "./language-objects.js";
import { laterDate } from "./later-clock.js";
import { Loader } from "./loader.js";
import { withNearName } from "./near-names.js";
import {
  type Failure,
  leavesWorkerFit,
  type Message,
  type Request,
  type TaskEnding,
  type WorkerSetup,
} from "./protocol.js";
import type { TaskContext } from "./task.js";

// A component's own frames can be far below those of the library that called it.
Error.stackTraceLimit = 100;

const { folder, later }: WorkerSetup = workerData;
if (later) globalThis.Date = laterDate(Date);
const takeOutput = captureOutput();
const loader = new Loader(folder);
// After the loader, which replaces some of them itself.
const changedObject = watchLanguageObjects();

const context: TaskContext = {
  load(bundle) {
    send({ kind: "loading", file: bundle.file });
    return loader.load(bundle);
  },
  loadAgain: (bundle) => loader.loadAgain(bundle),
  positionOf: ({ stack = "" }) => loader.maps.positionIn(stack),
  reads: () => loader.takeReads(),
};

/** False once a task has left something active: remaining requests go to another worker. */
let isUsable = true;
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", (request: Request) => {
  last = last.then(() => perform(request));
});

process.on("uncaughtException", (error) => fail(failureOf(error, loader.maps), true));

const exit = process.exit.bind(process);
process.exit = (code) => {
  const at = context.positionOf(new Error());
  const message = `process.exit(${code ?? ""}) was called.`;
  fail({ message, inUserCode: true, ...(at === undefined ? {} : { at }) }, true);
  return exit(code);
};

async function perform(request: Request): Promise<void> {
  if (!isUsable) return;
  send({ kind: "started" });
  try {
    const value = await run(request);
    end({ kind: "done", value, output: takeOutput(), restless: isRestless() });
  } catch (error) {
    const changed = changedObject();
    const failure =
      changed === undefined ? await withNearName(failureOf(error, loader.maps), error) : failureOfChange(changed);
    fail(failure, isRestless());
  }
}

async function run({ module, name, input }: Request): Promise<unknown> {
  loader.takeReads(); // Left over from a task that didn't read them.
  const { [name]: task }: Record<string, unknown> = await import(module);
  if (typeof task !== "function") throw new TypeError(`${module} exports no function ${name}.`);
  const value: unknown = await task(input, context);
  // By now, an unhandled rejection has been reported, so that it fails the right task.
  await setImmediate();
  return value;
}

/** The thrown error is a consequence of the change, probably in unrelated code. */
function failureOfChange(name: string): Failure {
  const message = `The code changes or removes ${name}, which other code needs.`;
  return { message, hint: "Leave the language's own objects as they are.", inUserCode: true };
}

function fail(failure: Failure, restless: boolean): void {
  end({ kind: "failed", failure, output: takeOutput(), restless });
}

/** Reports how a task ended, once. */
function end(message: TaskEnding<unknown>): void {
  if (!isUsable) return;
  send(message);
  isUsable = leavesWorkerFit(message);
}

function send(message: Message<unknown>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

/** Whether the task left something active that could disturb the next one. Node may still be closing a module's file. */
function isRestless(): boolean {
  if (changedObject() !== undefined) return true;
  return process.getActiveResourcesInfo().some((resource) => resource !== "MessagePort" && resource !== "CloseReq");
}
