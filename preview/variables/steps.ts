import type { Variables } from "../../src/mustache/variables.js";
import { KeyedStore } from "./keyed-store.js";
import { isSame } from "./same.js";

/** Edits that can be undone and redone, the newest last. */
export interface Steps {
  readonly past: readonly Variables[];
  readonly future: readonly Variables[];
  /** Where the last change was typed. Further typing there belongs to the same step. */
  readonly place?: string | undefined;
}

const NONE: Steps = { past: [], future: [] };
const MOST = 100;

/** By fixture. */
export const stepsTaken = new KeyedStore<Steps>();

/** @param place Where the user types. Undefined for a change that is a step of its own. */
export function withStep({ past, place: last }: Steps = NONE, before: Variables, place?: string): Steps {
  if (place !== undefined && place === last) return { past, future: [], place };
  return { past: [...past, before].slice(-MOST), future: [], place };
}

/** The step back or forward. Undefined if there is none. */
export function stepTo(
  to: "past" | "future",
  steps: Steps = NONE,
  now: Variables,
): { readonly variables: Variables; readonly steps: Steps } | undefined {
  const from = to === "past" ? "future" : "past";
  const at = steps[to].findLastIndex((variables) => !isSame(variables, now));
  const variables = steps[to][at];
  if (!variables) return undefined;
  return {
    variables,
    steps:
      to === "past"
        ? { past: steps.past.slice(0, at), future: [...steps[from], now] }
        : { past: [...steps[from], now], future: steps.future.slice(0, at) },
  };
}
