import { byValue } from "./choices.js";
import type { Path } from "./symbolic.js";
import { symbolicOf } from "./texts.js";

/**
 * The operation for `LABELS.get(status)` or `PAID.has(status)` on a map or set with ordinary keys; undefined for any other
 * call.
 */
export function keyedCall(called: unknown, self: unknown, [key]: readonly unknown[]): (() => unknown) | undefined {
  const path = symbolicOf(key);
  if (path?.kind !== "path" || !(self instanceof Map || self instanceof Set)) return undefined;
  const keys = [...self.keys()];
  if (keys.some(symbolicOf)) return undefined;
  if (self instanceof Map && called === GET) return () => caseOfKey(path, keys, (each) => self.get(each), undefined);
  return HAS.has(called) ? () => isOneOf(path, keys) : undefined;
}

/** `status in LABELS` */
export function isOneOf(path: Path, keys: readonly unknown[]): unknown {
  return caseOfKey(path, keys, () => true, false);
}

function caseOfKey(path: Path, keys: readonly unknown[], valueOf: (key: unknown) => unknown, none: unknown): unknown {
  const cases = keys
    .filter((each) => typeof each === "string" || typeof each === "number")
    .map((each) => [each, valueOf(each)] as const);
  return byValue(path, cases, none);
}

const GET: unknown = Reflect.get(Map.prototype, "get");
const HAS = new Set<unknown>([Reflect.get(Map.prototype, "has"), Reflect.get(Set.prototype, "has")]);
