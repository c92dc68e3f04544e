/*
 * The worker's side: runs lettershop's tasks beside user code, one at a time, and reports how that went.
 */
import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { captureOutput } from "./captured-output.js";
import { failureOf } from "./failure.js";
import { laterDate } from "./later-clock.js";
import { Loader } from "./loader.js";
import type { Failure, Message, Request, WorkerSetup } from "./protocol.js";
import type { TaskContext } from "./task.js";

// A component's own frames can be far below those of the library that called it.
Error.stackTraceLimit = 100;

const { folder, later }: WorkerSetup = workerData;
if (later) globalThis.Date = laterDate(Date);
const takeOutput = captureOutput();
const loader = new Loader(folder);

const context: TaskContext = {
  load(bundle) {
    send({ kind: "loading", file: bundle.file });
    return loader.load(bundle);
  },
  positionOf: ({ stack = "" }) => loader.maps.positionIn(stack),
  reads: () => loader.takeReads(),
};

parentPort?.on("message", (request: Request) => {
  send({ kind: "started" });
  run(request)
    .then((value) => send({ kind: "done", value, output: takeOutput(), restless: isRestless() }))
    .catch((error: unknown) => fail(failureOf(error, loader.maps), isRestless()));
});

process.on("uncaughtException", (error) => fail(failureOf(error, loader.maps), true));

const exit = process.exit.bind(process);
process.exit = (code) => {
  const at = context.positionOf(new Error());
  const message = `process.exit(${code ?? ""}) was called.`;
  fail({ message, inUserCode: true, ...(at === undefined ? {} : { at }) }, true);
  return exit(code);
};

async function run({ module, name, input }: Request): Promise<unknown> {
  loader.takeReads(); // of a task that did not ask for them
  const { [name]: task }: Record<string, unknown> = await import(module);
  if (typeof task !== "function") throw new TypeError(`${module} exports no function ${name}.`);
  const value: unknown = await task(input, context);
  // A rejection that nobody handles is reported by now, and so fails the task that it belongs to.
  await setImmediate();
  return value;
}

function fail(failure: Failure, restless: boolean): void {
  send({ kind: "failed", failure, output: takeOutput(), restless });
}

function send(message: Message<unknown>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

/** Whether the task left something behind that could disturb the next one. */
function isRestless(): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource !== "MessagePort");
}
