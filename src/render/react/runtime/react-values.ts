import { isObject, represented } from "./symbolic.js";

/** What React's `createElement` returns; its other properties are copied unchanged. */
export interface Element {
  readonly type: unknown;
  readonly props: Readonly<Record<string, unknown>>;
}

export function isElement(value: unknown): value is Element {
  if (typeof value !== "object" || value === null || represented(value)) return false;
  return "$$typeof" in value && "type" in value && "props" in value && isObject(value.props);
}

/** An ordinary object, such as options or a style. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || represented(value) || isElement(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
