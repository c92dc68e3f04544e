import type { Operation } from "./plan.js";

/**
 * Our own writes that may leave after one look at the service's list. No divisor of a minute's writes: a look after the
 * last of them would be too old when the next may leave.
 */
const WRITES_PER_LOOK_MAX = 16;
/** Looks that a plan of few operations may cost: of up to so many, each is looked at just before its write. */
const LOOKS_OF_FEW = 6;

/** How many overwrites and deletes one look at the service's list serves: the more there are, the more. */
export function writesPerLookOf(operations: readonly Operation[]): number {
  return Math.min(WRITES_PER_LOOK_MAX, Math.max(1, Math.ceil(overwritesIn(operations) / LOOKS_OF_FEW)));
}

/**
 * How many looks applying takes. A single template needs none where it was just read.
 *
 * @param read Names whose bodies are at hand.
 */
export function looksOf(operations: readonly Operation[], read: ReadonlySet<string>): number {
  const overwrites = overwritesIn(operations);
  if (overwrites === 0 || (operations.length === 1 && read.size === 1)) return 0;
  return Math.ceil(overwrites / writesPerLookOf(operations));
}

/**
 * Whether applying ends with a look at what was written. A single change of a service that is known to store what it
 * answers has been read back with its answer.
 */
export function looksBack(operations: readonly Operation[], isProven: boolean): boolean {
  return operations.length > 1 || (operations.length === 1 && !isProven);
}

/** Whether applying takes a lease. A single operation leaves nothing half done, and stays at three requests. */
export function takesLease(operations: readonly Operation[]): boolean {
  return operations.length > 1;
}

/** Whether it puts something where nothing is. */
export function isCreate({ kind }: Operation): boolean {
  return kind === "create";
}

function overwritesIn(operations: readonly Operation[]): number {
  return operations.filter((operation) => !isCreate(operation)).length;
}
