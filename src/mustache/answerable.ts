import { nearest } from "../text/nearest.js";
import type { Shape } from "./shape.js";
import type { Condition } from "./variables.js";

/**
 * Why a condition on a value always has the same result; undefined if it can vary.
 *
 * @example
 * unanswerable({ path: "status", test: { kind: "equals", value: "payd" } }, shape)?.message;
 * // '"status" is never "payd": it is "paid" or "due".'
 */
export function unanswerable(
  { path, test }: Pick<Condition, "path" | "test">,
  { kinds, isKnown }: Shape,
): { readonly message: string; readonly nearName?: string } | undefined {
  if (!isKnown) return undefined;
  const is = (...types: readonly string[]): boolean =>
    kinds.some(({ type }) => type !== undefined && types.includes(type));
  const typed = kinds.every(({ type }) => type !== undefined);
  if (test.kind === "has-items" && typed && !is("array")) {
    return { message: `"${path}" is not a list, so it never has items. Test with is-present instead.` };
  }
  if (test.kind === "compares" && typed && !is("number", "integer")) {
    return { message: `"${path}" is not a number, so it can't be compared with ${test.value}.` };
  }
  if (test.kind !== "equals" || test.value === null) return undefined;
  const { value } = test;
  const values = kinds.flatMap((kind) => kind.enum ?? (kind.const === undefined ? [] : [kind.const]));
  const isOpen = kinds.some((kind) => !kind.enum && kind.const === undefined && kind.type !== "null");
  if (isOpen || values.includes(value)) return undefined;
  const allowed = values.map((each) => JSON.stringify(each)).join(" or ");
  const near = nearest(String(value), values.map(String));
  return { message: `"${path}" is never ${JSON.stringify(value)}: it is ${allowed}.`, ...(near && { nearName: near }) };
}
