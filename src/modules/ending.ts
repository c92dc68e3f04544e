import path from "node:path";
import { Interruption } from "./interruption.js";
import { ModuleError } from "./module-error.js";
import type { Failure, TaskEnding } from "./protocol.js";

/** How a task ended: by its own word, or by that of the worker around it. */
export type Ending<Output> =
  | TaskEnding<Output>
  /** An earlier task took the worker with it: it is for another one. */
  | { readonly kind: "not run" }
  | { readonly kind: "timeout" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "crashed"; readonly error: unknown }
  | { readonly kind: "exited" };

/** How a task ended that was run. */
export type Outcome<Output> = Exclude<Ending<Output>, { readonly kind: "not run" }>;

interface Circumstances {
  /** The user's module that was loaded last. */
  readonly file: string | undefined;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/**
 * What the task gave.
 *
 * @throws {ModuleError} User code kept it from giving anything.
 * @throws {Interruption} It was given up.
 */
export function valueOf<Output>(ending: Outcome<Output>, circumstances: Circumstances): Output {
  if (ending.kind === "done") return ending.value;
  throw errorOf(ending, circumstances);
}

function errorOf(
  ending: Exclude<Outcome<never>, { kind: "done" }>,
  { file, timeoutMs, memoryMb }: Circumstances,
): Error {
  if (ending.kind === "failed") return failureError(ending.failure, file);
  if (ending.kind === "timeout") {
    const hint = "Look for an endless loop, a promise that never settles, or a fixture of several megabytes.";
    return blame(file, `did not end within ${timeoutMs / 1000} s.`, { hint });
  }
  if (ending.kind === "interrupted") return new Interruption("The task was given up.");
  if (ending.kind === "exited") return blame(file, "ended its worker.");
  const what = isOutOfMemory(ending) ? `takes more than ${memoryMb} MB of memory.` : "crashed.";
  return blame(file, what, { cause: ending.error });
}

function failureError({ message, hint, stack, inUserCode, at }: Failure, file: string | undefined): Error {
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  const position = at ?? (file === undefined ? undefined : { file });
  if (!inUserCode || position === undefined) return cause;
  return new ModuleError(message, position, { cause, ...(hint === undefined ? {} : { hint }) });
}

/** Without a file no user code was run, and the mistake is lettershop's. */
function blame(file: string | undefined, what: string, options?: { cause?: unknown; hint?: string }): Error {
  if (file === undefined) return new Error(`A task ${what}`, options);
  return new ModuleError(`${path.basename(file)} ${what}`, { file }, options);
}

export function isOutOfMemory<Output>(ending: Outcome<Output>): boolean {
  if (ending.kind !== "crashed") return false;
  const { error } = ending;
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
