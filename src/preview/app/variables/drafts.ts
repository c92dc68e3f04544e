import { KeyedStore } from "./keyed-store.js";

/** A text of the JSON editor, as it was typed. */
export interface Draft {
  readonly text: string;
  /** Why it is not used. */
  readonly problem?: JsonProblem;
}

export interface JsonProblem {
  readonly message: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** By fixture: what was typed stays while something else is shown. */
export const drafts = new KeyedStore<Draft>();
