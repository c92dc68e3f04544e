import { createContext, useContext } from "react";
import type { VariablesSchema } from "../../../../mustache/variables.js";
import { keyOf, type Path } from "../path.js";

/** What every field of a form shares. */
export interface FormState {
  readonly root: VariablesSchema;
  /** The first message at each path, by its key. */
  readonly problems: ReadonlyMap<string, string>;
  /** Whether it is too much to show all of it at once: groups are folded at first. */
  readonly isLarge: boolean;
  /** How many problems are at or below a path. */
  readonly countAt: (path: Path) => number;
  /** Undefined takes the member away. */
  readonly change: (path: Path, value: unknown) => void;
  /**
   * Changes a value to one that has something new in it, which becomes what the template's schema allows.
   *
   * @param added Where the new value is. Default: the path itself.
   */
  readonly add: (path: Path, value: unknown, added?: Path) => void;
}

const FormContext = createContext<FormState | undefined>(undefined);

export const FormProvider = FormContext.Provider;

export function useForm(): FormState {
  const state = useContext(FormContext);
  if (!state) throw new Error("A field is only in a form.");
  return state;
}

export function useProblem(path: Path): string | undefined {
  return useForm().problems.get(keyOf(path));
}
