import type { Variables } from "../../../mustache/variables.js";
import { KeyedStore } from "./keyed-store.js";
import { isObject } from "./schema/resolve.js";
import { SessionStore } from "./session-store.js";

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

/** By fixture: what was edited and not saved when another one was chosen; for as long as the browser's tab is there. */
export const leftEdits = new SessionStore<Variables>("left-edits", isObject);
