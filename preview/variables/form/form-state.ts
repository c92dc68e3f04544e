import { createContext, useContext, useRef } from "react";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { counted } from "../../state/counts.js";
import type { ValuePath } from "../path.js";
import { isRecord } from "../../../src/values.js";

/** State shared by all fields of a form. */
export interface FormState {
  readonly root: VariablesSchema;
  /** The first message at each path, by the path's key. */
  readonly problems: ReadonlyMap<string, string>;
  /** Whether there are too many values to show at once, so that groups start folded. */
  readonly isLarge: boolean;
  /** Number of problems at a path and below it. */
  readonly countAt: (path: ValuePath) => number;
  /** Undefined removes the member. */
  readonly change: (path: ValuePath, value: unknown) => void;
  /**
   * Changes a value and adjusts what was added until the template's schema allows it.
   *
   * @param added The path of the new part. Default: the path itself.
   */
  readonly add: (path: ValuePath, value: unknown, added?: ValuePath) => void;
}

const FormContext = createContext<FormState | undefined>(undefined);

export const FormProvider = FormContext.Provider;

export function useForm(): FormState {
  const state = useContext(FormContext);
  if (!state) throw new Error("useForm must be used inside a form.");
  return state;
}

export function moveItem<Item>(list: readonly Item[], from: number, to: number): Item[] {
  return list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1));
}

/** Keys for the items of a list that move with them, so that folded items stay folded. */
export function useItemKeys(count: number) {
  const state = useRef<{ keys: number[]; last: number; firstNew: number }>(undefined);
  state.current ??= { keys: Array.from({ length: count }, (_, index) => index), last: count, firstNew: count };
  const own = state.current;
  while (own.keys.length < count) own.keys.push(own.last++);
  own.keys.length = count;
  return {
    at: (index: number): number | undefined => own.keys[index],
    /** Whether it was added after the list was first shown. */
    isNew: (index: number): boolean => (own.keys[index] ?? 0) >= own.firstNew,
    /** An undefined key in the result marks a new item. */
    change(make: (keys: readonly (number | undefined)[]) => (number | undefined)[]): void {
      own.keys = make(own.keys).map((key) => key ?? own.last++);
    },
  };
}

const LONGEST = 60;

/** A short summary of a value: `Tea · 2 · €4.00`. */
export function summariseValue(value: unknown): string {
  const words = wordsIn(value).filter((word) => word !== "");
  const text = words.slice(0, 4).join(" · ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function wordsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.length === 0 ? [] : [counted(value.length, "item")];
  return isRecord(value) ? Object.values(value).flatMap((member) => (isRecord(member) ? [] : wordsIn(member))) : [];
}
