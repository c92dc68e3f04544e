import type { Shape } from "../../../mustache/shape.js";
import type { Branch, States } from "./branches.js";
import type { AccessPath, AnyFunction, MappedList, Test } from "./symbolic.js";

/** What these modules need of those that compute, which depend on them. */
interface Later {
  /** A variable with the types that are left by what is assumed. */
  readonly narrowed: (path: AccessPath) => AccessPath;
  /** A value for use outside of what is assumed. */
  readonly pinned: (value: unknown) => unknown;
  /** A variable that may be a list as a choice between a list and something else. */
  readonly byBeingList: (value: unknown) => unknown;
  /** A count as a value that Mustache can print. */
  readonly printCount: (count: unknown) => unknown;
  /** `String(value)` for a computed value that may not be a string. */
  readonly computeString: (path: AccessPath) => unknown;
  /** Whether a computed value is iterable, but not a list. */
  readonly isComputedObject: (path: AccessPath) => boolean;
  /** What React prints for a computed value of unknown type. */
  readonly computeChild: (path: AccessPath) => unknown;
  /** `value[index]` for what may not be a list. */
  readonly computeItem: (path: AccessPath, index: number | string) => unknown;
  /** Runs a branch that depends on a variable, without lasting changes. */
  readonly runBranch: <T>(work: () => T, isOnly?: () => boolean) => Branch<T>;
  /** What objects are after one branch or the other. */
  readonly mergeStates: (test: Test, yes: States, no: States) => States;
  /** Makes objects what they are after all branches. */
  readonly settle: (states: States) => void;
  /** `url.searchParams` */
  readonly searchParamsOf: (url: object) => object;
  /** The number of items of a list that contains lists. */
  readonly countItems: (list: MappedList) => unknown;
  /** The type of what `list.reduce(…args)` returns. */
  readonly shapeOfReduction: (list: unknown, args: readonly unknown[]) => Shape;
  /** A built-in function that is called with symbolic values: `.map(Number)`. */
  readonly callBuiltin: (called: AnyFunction, self: unknown, args: readonly unknown[]) => unknown;
}

const parts: Partial<Later> = {};

export function provide(provided: Partial<Later>): void {
  Object.assign(parts, provided);
}

/** @throws {TypeError} The module that provides it is not loaded. */
export function later<Name extends keyof Later>(name: Name): Later[Name] {
  const part = parts[name];
  if (!part) throw new TypeError(`"${name}" is not loaded.`);
  return part;
}
