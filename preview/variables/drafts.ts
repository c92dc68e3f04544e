import { KeyedStore } from "../state/keyed-store.js";

/** The JSON editor's content, exactly as typed. */
export interface Draft {
  readonly text: string;
  /** Why it can't be used. */
  readonly problem?: JsonProblem;
}

export interface JsonProblem {
  readonly message: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** By fixture: drafts stay while something else is shown. */
export const drafts = new KeyedStore<Draft>();
