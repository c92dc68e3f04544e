import type { Variables } from "../../../mustache/variables.js";
import { KeyedStore } from "./keyed-store.js";
import { isSame } from "./same.js";

/** What was edited before, and what was undone: the newest last. */
export interface Steps {
  readonly past: readonly Variables[];
  readonly future: readonly Variables[];
  /** Where the last change was typed: what is typed on there is the same step. */
  readonly place?: string | undefined;
}

const NONE: Steps = { past: [], future: [] };
const MOST = 100;

/** By fixture. */
export const stepsTaken = new KeyedStore<Steps>();

/** @param place Where it is typed; absent for what is a step of its own. */
export function withStep({ past, place: last }: Steps = NONE, before: Variables, place?: string): Steps {
  if (place !== undefined && place === last) return { past, future: [], place };
  return { past: [...past, before].slice(-MOST), future: [], place };
}

/** The step to what there was before, or to what was undone; undefined where there is none. */
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
