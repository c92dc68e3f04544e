import type { Operation } from "./plan.js";

/**
 * Maximum writes of ours between two reads of the service's list. Not a divisor of the writes per minute: the read
 * before the last of them would be too old when the next may be made.
 */
const WRITES_PER_LOOK_MAX = 16;
/** Reads that a small plan may cost: with at most this many overwrites, there is one read just before each. */
const LOOKS_OF_FEW = 6;

/** How many overwrites and deletes share one read of the service's list: more in larger plans. */
export function writesPerLookOf(operations: readonly Operation[]): number {
  return Math.min(WRITES_PER_LOOK_MAX, Math.max(1, Math.ceil(overwritesIn(operations) / LOOKS_OF_FEW)));
}

/**
 * How many reads of the list applying needs. A single template that was just read needs none.
 *
 * @param read Names whose bodies are available.
 */
export function looksOf(operations: readonly Operation[], read: ReadonlySet<string>): number {
  const overwrites = overwritesIn(operations);
  if (overwrites === 0 || (operations.length === 1 && read.size === 1)) return 0;
  return Math.ceil(overwrites / writesPerLookOf(operations));
}

/**
 * Whether applying ends by reading back what was written. A single change needs no read if the service is known to
 * store what it answers.
 */
export function looksBack(operations: readonly Operation[], isProven: boolean): boolean {
  return operations.length > 1 || (operations.length === 1 && !isProven);
}

/** Whether applying takes a lease. A single operation cannot be half done, and stays at three requests. */
export function takesLease(operations: readonly Operation[]): boolean {
  return operations.length > 1;
}

/** Whether it creates a template instead of overwriting one. */
export function isCreate({ kind }: Operation): boolean {
  return kind === "create";
}

function overwritesIn(operations: readonly Operation[]): number {
  return operations.filter((operation) => !isCreate(operation)).length;
}
