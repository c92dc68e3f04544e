/*
 * The worker's side: runs lettershop's tasks, one at a time, in the same thread as user code, and reports the results.
 */
import { setImmediate } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { type WorkerFailure, failureOf, withNearName } from "./failure.js";
import type { TaskContext } from "./host.js";
import type { Place } from "../mustache/expression/localised.js";
import { Loader } from "./loader.js";
import { limitLists } from "./limit-lists.js";
import { localiseGlobals } from "./localise-globals.js";
import { enterMoment, LATER } from "./moment.js";
import { serveThread } from "./rpc.js";

/** The worker's functions. */
export interface TaskRunner {
  /** Runs a task after the earlier ones. Not answered if one of these has broken the worker. */
  run(request: Request): Promise<TaskEnding<unknown>>;
}

/** What the worker reports to its host. */
export interface TaskHost {
  /** The next task has started. */
  started(input: undefined): void;
  /** A user's module is about to run: the one to blame if the worker stops responding. */
  loading(file: string): void;
  /** The current task has failed in a way that the worker can't recover from. */
  broken(ending: TaskEnding<never>): void;
}

/** Passed to the worker when it starts. */
export interface WorkerSetup {
  /** Where it writes the bundles that it imports. */
  readonly folder: string;
  readonly place: Place;
  /** Whether its clock is more than a year ahead. */
  readonly later: boolean;
}

export interface Request {
  /** URL of the compiled file that exports the task. */
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
}

/** How a task ended, as reported by the worker. */
export type TaskEnding<Output> =
  | ({ readonly kind: "done"; readonly value: Output } & Aftermath)
  | ({ readonly kind: "failed"; readonly failure: WorkerFailure } & Aftermath);

interface Aftermath {
  /** What user code printed. */
  readonly output: string;
  /** Whether something is still active in the worker (a timer, a server), so that it should be ended. */
  readonly restless: boolean;
}

/** How much of user code's output is kept, in bytes for each task. */
const OUTPUT_MAX_BYTES = 64 * 1024;

/** Saved before user code runs, which may replace them. */
const { getOwnPropertyDescriptor, ownKeys } = Reflect;

/** A member of `Error` that programs are meant to set. */
const HOOK = "prepareStackTrace";

// A component's own frames can be far below those of the library that called it.
Error.stackTraceLimit = 100;

const { folder, place, later }: WorkerSetup = workerData;
localiseGlobals(place);
limitLists();
if (later) enterMoment(LATER);
const takeOutput = captureOutput();
const loader = new Loader(folder);
// After the loader, which replaces some of them itself.
const changedObject = watchLanguageObjects();

const context: TaskContext = {
  load(bundle) {
    host.notify("loading", bundle.file);
    return loader.load(bundle);
  },
  loadAgain: (bundle) => loader.loadAgain(bundle),
  positionOf: ({ stack = "" }) => loader.maps.positionIn(stack),
  reads: () => loader.takeReads(),
};

/** False once a task has left something active: remaining requests go to another worker. */
let isUsable = true;
let last: Promise<unknown> = Promise.resolve();

const host = serveThread<TaskHost>({
  functions: {
    run(request) {
      const ending = last.then(() => perform(request));
      last = ending;
      return ending;
    },
  } satisfies TaskRunner,
  // The result could not be cloned.
  factsOf: (error) => failureOf(error, loader.maps),
});

process.on("uncaughtException", (error) => breakOff(failureOf(error, loader.maps)));

const exit = process.exit.bind(process);
process.exit = (code) => {
  const at = context.positionOf(new Error());
  const message = `process.exit(${code ?? ""}) was called.`;
  breakOff({ message, inUserCode: true, at });
  return exit(code);
};

async function perform(request: Request): Promise<TaskEnding<unknown>> {
  if (!isUsable) return new Promise(() => {});
  host.notify("started", undefined);
  const ending = await endingOf(request);
  isUsable &&= !ending.restless;
  return ending;
}

async function endingOf(request: Request): Promise<TaskEnding<unknown>> {
  try {
    const value = await run(request);
    return { kind: "done", value, output: takeOutput(), restless: isRestless() };
  } catch (error) {
    const changed = changedObject();
    const failure =
      changed === undefined ? await withNearName(failureOf(error, loader.maps), error) : failureOfChange(changed);
    const unset = loader.unsetBefore(error, failure.at?.file);
    return { kind: "failed", failure: { ...failure, unset }, output: takeOutput(), restless: isRestless() };
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
function failureOfChange(name: string): WorkerFailure {
  const message = `The code changes or removes ${name}, which other code needs.`;
  return { message, hint: "Leave the language's own objects as they are.", inUserCode: true };
}

/** Reports at once how the current task ended: the thread may be about to exit. */
function breakOff(failure: WorkerFailure): void {
  if (!isUsable) return;
  host.notify("broken", { kind: "failed", failure, output: takeOutput(), restless: true });
  isUsable = false;
}

/** Whether the task left something active that could disturb the next one. Node may still be closing a module's file. */
function isRestless(): boolean {
  if (changedObject() !== undefined) return true;
  return process.getActiveResourcesInfo().some((resource) => resource !== "MessagePort" && resource !== "CloseReq");
}

interface Member {
  readonly holder: object;
  readonly key: string | symbol;
  readonly value: unknown;
  readonly name: string;
}

/**
 * Remembers the language's built-in objects, such as `Map` and `Array.prototype.map`, which all other code in the same
 * thread needs.
 *
 * @returns A function that returns the name of an object that was changed or removed since; undefined if none was.
 */
export function watchLanguageObjects(): () => string | undefined {
  const members: Member[] = [];
  for (const key of ownKeys(globalThis)) {
    const { enumerable = true, value }: PropertyDescriptor = getOwnPropertyDescriptor(globalThis, key) ?? {};
    // Enumerable members are added by Node.js or browsers, or loaded lazily.
    if (enumerable || !isHolder(value) || value === globalThis) continue;
    const name = String(key);
    members.push({ holder: globalThis, key, value, name });
    add(value, name, members);
    const prototype: unknown = getOwnPropertyDescriptor(value, "prototype")?.value;
    if (isHolder(prototype)) add(prototype, `${name}.prototype`, members);
  }
  return () => {
    // Without an iterator: it may be one of the objects that are gone.
    for (let index = 0; index < members.length; index += 1) {
      const member = members[index];
      if (member && codeOf(member.holder, member.key) !== member.value) return member.name;
    }
    return undefined;
  };
}

function add(holder: object, path: string, members: Member[]): void {
  for (const key of ownKeys(holder)) {
    const value = codeOf(holder, key);
    if (typeof value !== "function" || key === HOOK) continue;
    const name = typeof key === "symbol" ? `${path}[${key.description}]` : `${path}.${key}`;
    members.push({ holder, key, value, name });
  }
}

/** A member's value, or its getter. */
function codeOf(holder: object, key: string | symbol): unknown {
  const descriptor = getOwnPropertyDescriptor(holder, key);
  return descriptor?.get ?? descriptor?.value;
}

function isHolder(value: unknown): value is object {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}

/**
 * Captures this thread's standard output and error, with bounded memory.
 *
 * @returns A function that returns what was printed since its last call.
 */
export function captureOutput(): () => string {
  let kept: Buffer[] = [];
  let room = OUTPUT_MAX_BYTES;
  const write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    if (room > 0) {
      const start = Buffer.from(chunk.slice(0, room)).subarray(0, room);
      kept.push(start);
      room -= start.length;
    }
    const written = rest.find((each) => typeof each === "function");
    if (written) queueMicrotask(() => written());
    return true;
  };
  process.stdout.write = write;
  process.stderr.write = write;
  return () => {
    const output = Buffer.concat(kept).toString();
    kept = [];
    room = OUTPUT_MAX_BYTES;
    return output;
  };
}
