import type { Variables } from "../../src/mustache/variables.js";
import type { VariableProblem } from "../../src/preview/contract.js";
import { pathText } from "../../src/project/issues.js";
import { ownProperty } from "../../src/mustache/lookup.js";
import { isRecord } from "../../src/values.js";

/** Member names and indexes, outermost first. */
export type ValuePath = VariableProblem["path"];

/** Whether a path begins with the steps of another. */
export function startsWith(path: ValuePath, start: ValuePath): boolean {
  return start.every((step, index) => path[index] === step);
}

/** A string for comparing paths and for ids. */
export function pathKey(path: ValuePath): string {
  return JSON.stringify(path);
}

export function valueAt(value: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>((at, step) => ownProperty(at, String(step)), value);
}

/** A copy with a different value at a path. Undefined removes the member or item. */
export function withValue(variables: Variables, path: ValuePath, value: unknown): Variables {
  const changed = replaced(variables, path, value);
  return isRecord(changed) ? changed : variables;
}

function replaced(at: unknown, path: ValuePath, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(at)) {
    const index = Number(step);
    const item = replaced(at[index], rest, value);
    return item === undefined ? at.toSpliced(index, 1) : at.with(index, item);
  }
  const members = isRecord(at) ? at : {};
  const member = replaced(Object.hasOwn(members, step) ? members[step] : undefined, rest, value);
  if (member !== undefined) return { ...members, [step]: member };
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== String(step)));
}

/** `lines[0].price: Expected a number.` */
export function problemText({ path, message }: VariableProblem): string {
  return path.length === 0 ? message : `${pathText(path)}: ${message}`;
}
