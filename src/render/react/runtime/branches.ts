import { shapeOfValue } from "./builtins.js";
import { change, noteChange } from "./changes.js";
import { casesOf, conditional, lift } from "./choices.js";
import { recorded } from "./computed.js";
import { expressionOf } from "./expressions.js";
import { resultVariable } from "./result-variables.js";
import { provide } from "./later.js";
import { copyOfIterable } from "./list-methods.js";
import { valueOfPath } from "./paths.js";
import { refuse, REFUSED, rendering } from "./rendering.js";
import {
  become,
  type CollectedRows,
  isPlain,
  isReference,
  registerSymbolic,
  represented,
  type SourceRange,
  type Test,
} from "./symbolic.js";

/*
 * Changes that depend on a variable, to what was made before: `const add = (tag) => { if (tag) tags.push(tag); }`. Each branch begins
 * with the objects as they were. Afterwards, each object is what one branch or the other has made of it.
 */

/** What branches have made of objects that existed before. */
export type States = ReadonlyMap<object, State>;

interface State {
  /** Its content. */
  readonly value: unknown;
  /** Where it was changed. */
  readonly site: SourceRange | undefined;
}

export interface Branch<T> {
  readonly result: T;
  readonly states: States;
}

/**
 * Runs a branch. Afterwards, the objects that it has changed are what they were before.
 *
 * @param isOnly Called afterwards: whether there was no other branch after all. Then they stay changed.
 */
function runBranch<T>(work: () => T, isOnly = (): boolean => false): Branch<T> {
  const { result, changed } = rendering().recordEffects(work);
  const states = new Map<object, State>();
  if (isOnly()) return { result, states };
  for (const [object, { site, restore }] of changed)
    if (restore && isReference(object)) states.set(object, { value: contentOf(object), site });
  for (const { restore } of changed.values()) restore?.();
  return { result, states };
}

/** What an object is, as a value that does not change with it. */
export function contentOf(object: object): unknown {
  const symbolic = represented(object);
  if (symbolic?.kind === "path") return valueOfPath(symbolic);
  if (symbolic) return copyOfIterable(object) ?? REFUSED;
  if (Array.isArray(object)) return [...object];
  if (isPlain(object)) return { ...object };
  return variableOf(object, rendering().site) ?? REFUSED;
}

/** What objects are after one branch or the other. */
function mergeStates(test: Test, yes: States, no: States): States {
  const merged = new Map<object, State>();
  for (const [object, { site }] of new Map([...no, ...yes])) {
    const [one, other] = [yes, no].map((states) => (states.get(object) ?? { value: contentOf(object) }).value);
    merged.set(object, { value: conditional(test, one, other), site });
  }
  return merged;
}

/** Makes objects what they are after all branches. */
function settle(states: States): void {
  for (const [object, { value, site }] of states) {
    const members = represented(object) ? undefined : mergedMembers(value);
    const settled = members ?? variableOf(value, site) ?? mergedRows(value);
    if (!settled) become(object, refuse(represented(value), PROBLEM, { site, hint: CHANGE_IN_EACH_CASE }));
    else if (represented(settled)) change(object, settled);
    else {
      noteChange(object);
      Object.assign(object, settled);
    }
  }
}

const PROBLEM = "changes a value depending on a variable";
const CHANGE_IN_EACH_CASE = "Change it in the function that makes it, or choose between two values: `a ? b : c`.";

/** The members of a plain object; undefined if they are not the same in each case. */
function mergedMembers(value: unknown): object | undefined {
  const [names, ...others] = casesOf(value).map((each) => (isPlain(each) ? Object.keys(each) : undefined));
  if (!names || others.some((each) => each?.join("\n") !== names.join("\n"))) return undefined;
  return Object.fromEntries(names.map((name) => [name, lift(value, (each) => Reflect.get(Object(each), name))]));
}

/** A variable for a value; undefined if it can't be recorded, such as a list of elements. */
function variableOf(value: unknown, site: SourceRange | undefined): object | undefined {
  const shape = shapeOfValue(value);
  const expression = recorded(() => expressionOf(value), shape);
  const variable = expression && resultVariable(expression, { problem: PROBLEM, shape, site, hasEffect: true });
  return isReference(variable) ? variable : undefined;
}

/** Lists with elements: the rows that are the same in each case, and a choice between the others. */
function mergedRows(value: unknown): unknown[] | undefined {
  const cases = casesOf(value);
  const lists = cases.filter((each): each is unknown[] => Array.isArray(each));
  const [first = []] = lists;
  if (lists.length < cases.length) return undefined;
  const differing = first.findIndex((item, index) => lists.some((list) => list[index] !== item));
  const same = differing < 0 ? first.length : differing;
  const others = lift(value, (each) => restOf(each, same));
  const list = [...first.slice(0, same), others];
  const added = new Set([...lists.flatMap((each) => [...addedTo(each)]), others]);
  registerSymbolic(list, { kind: "rows", list, added });
  return list;
}

function restOf(list: unknown, from: number): unknown[] {
  const rest: unknown[] = Array.isArray(list) ? list.slice(from) : [];
  const added = new Set(addedTo(list));
  if (rest.some((each) => added.has(each))) registerSymbolic(rest, { kind: "rows", list: rest, added });
  return rest;
}

function addedTo(list: unknown): CollectedRows["added"] {
  const rows = represented(list);
  return rows?.kind === "rows" ? rows.added : new Set();
}

provide({ runBranch, mergeStates, settle });
