import { useSyncExternalStore } from "react";
import type { Problem } from "../../src/preview/contract.js";
import type { View } from "../state/view.js";
import { pointAt } from "./show.js";

type Pointer = Pick<View, "source" | "place">;

/** The selected problem. The URL alone cannot distinguish several problems in one place, or those without a place. */
let chosen: Problem | undefined;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const chooseProblem = (problem: Problem): void => {
  chosen = problem;
  pointAt(problem);
  listeners.forEach((listener) => listener());
};

export const useChosenProblem = (): Problem | undefined => useSyncExternalStore(subscribe, () => chosen);

/** Whether the view points at this problem. */
export const isShown = (problem: Problem, view: Pointer, last: Problem | undefined): boolean => {
  if (!isAt(problem, view)) return false;
  if (last !== undefined && nameOf(problem) === nameOf(last)) return true;
  const hasPlace = problem.at !== undefined || problem.place !== undefined;
  return hasPlace && !(last !== undefined && isAt(last, view));
};

/** The index of the selected problem, or -1. */
export const indexOfShown = (problems: readonly Problem[], view: Pointer): number => {
  const last = chosen;
  // Two problems can have the same message and place.
  const own = last !== undefined && isAt(last, view) ? problems.indexOf(last) : -1;
  return own < 0 ? problems.findIndex((problem) => isShown(problem, view, last)) : own;
};

/** While a template is checked again, its element numbers are unknown. */
const isAt = ({ at, place }: Problem, view: Pointer): boolean =>
  at?.file === view.source?.file &&
  at?.line === view.source?.line &&
  at?.column === view.source?.column &&
  (place === view.place || (place === undefined && at !== undefined));

const nameOf = ({ template, rule, message }: Problem): string => [template, rule, message].join("\n");
