import path from "node:path";
import { Interruption } from "./interruption.js";
import { ModuleError } from "./module-error.js";
import type { Failure, TaskEnding } from "./protocol.js";

/** How a task ended, as reported by the task itself or by the worker. */
export type Ending<Output> =
  | TaskEnding<Output>
  /** An earlier task ended the worker: run it in another one. */
  | { readonly kind: "not run" }
  | { readonly kind: "timeout" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "crashed"; readonly error: unknown }
  | { readonly kind: "exited" };

/** How a task that ran has ended. */
export type Outcome<Output> = Exclude<Ending<Output>, { readonly kind: "not run" }>;

interface Circumstances {
  /** The user's module that was loaded last. */
  readonly file: string | undefined;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/**
 * Returns the task's result.
 *
 * @throws {ModuleError} User code failed.
 * @throws {Interruption} The task was interrupted.
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
    return blame(file, `did not finish within ${timeoutMs / 1000} s.`, { hint });
  }
  if (ending.kind === "interrupted") return new Interruption("The task was interrupted.");
  if (ending.kind === "exited") return blame(file, "terminated its worker.");
  const what = isOutOfMemory(ending) ? `used more than ${memoryMb} MB of memory.` : "crashed.";
  return blame(file, what, { cause: ending.error });
}

function failureError({ message, hint, stack, inUserCode, at }: Failure, file: string | undefined): Error {
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  const position = at ?? (file === undefined ? undefined : { file });
  if (!inUserCode || position === undefined) return cause;
  return new ModuleError(message, position, { cause, ...(hint === undefined ? {} : { hint }) });
}

/** Without a file, no user code ran, so the error is lettershop's. */
function blame(file: string | undefined, what: string, options?: { cause?: unknown; hint?: string }): Error {
  if (file === undefined) return new Error(`A task ${what}`, options);
  return new ModuleError(`${path.basename(file)} ${what}`, { file }, options);
}

export function isOutOfMemory<Output>(ending: Outcome<Output>): boolean {
  if (ending.kind !== "crashed") return false;
  const { error } = ending;
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
