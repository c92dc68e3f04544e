import { createContext, useContext } from "react";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { keyOf, type Path } from "../path.js";

/** State shared by all fields of a form. */
export interface FormState {
  readonly root: VariablesSchema;
  /** The first message at each path, by the path's key. */
  readonly problems: ReadonlyMap<string, string>;
  /** Whether there are too many values to show at once, so that groups start folded. */
  readonly isLarge: boolean;
  /** Number of problems at a path and below it. */
  readonly countAt: (path: Path) => number;
  /** Undefined removes the member. */
  readonly change: (path: Path, value: unknown) => void;
  /**
   * Changes a value and adjusts what was added until the template's schema allows it.
   *
   * @param added The path of the new part. Default: the path itself.
   */
  readonly add: (path: Path, value: unknown, added?: Path) => void;
}

const FormContext = createContext<FormState | undefined>(undefined);

export const FormProvider = FormContext.Provider;

export function useForm(): FormState {
  const state = useContext(FormContext);
  if (!state) throw new Error("useForm must be used inside a form.");
  return state;
}

export function useProblem(path: Path): string | undefined {
  return useForm().problems.get(keyOf(path));
}
