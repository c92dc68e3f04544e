import { completeVariables } from "../../../mustache/complete.js";
import type { Variables, VariablesContract } from "../../../mustache/variables.js";
import type { TextDifference } from "../normalise.js";
import { isRecord } from "../../../values.js";
import type { DifferingResult, OracleExample, OracleFailure, Trial } from "./trial.js";

/** Maximum number of variables to try one by one. */
const MOST_TRIED = 100;

/**
 * The variable that causes the difference between React and the compiled body: the one that, changed alone in the fixture
 * as in the variation, reproduces the difference; or that, changed in the fixture itself, removes it.
 *
 * @param fixture The fixture that a variation was made from, if it is one.
 */
export async function findCause(
  { example, difference }: DifferingResult,
  trial: Trial,
  contract: VariablesContract,
  fixture?: OracleExample,
): Promise<Steps | undefined> {
  const leaves = fixture
    ? changedLeaves(fixture.received, example.received)
    : leavesOf(example.received).flatMap(({ steps, value }) =>
        alternativesTo(value).map((other) => ({ steps, value: other })),
      );
  const tried = leaves.slice(0, MOST_TRIED);
  const examples = tried.map((leaf) => {
    const received = withLeaf((fixture ?? example).received, leaf);
    return { ...example, received, filled: completeVariables(contract, received) };
  });
  const failures = await trial.run(examples);
  const outcomes = examples.map((each) => failures.find((failure) => failure.example === each));
  const criteria: ((failure: OracleFailure | undefined) => boolean)[] = fixture
    ? [(failure) => failure?.kind === "differs"]
    : [
        (failure) => !failure,
        (failure) => failure?.kind === "differs" && affectsOneSide(failure.difference, difference),
        (failure) => failure?.kind === "differs" && failure.difference.key !== difference.key,
      ];
  const index = criteria.map((matches) => outcomes.findIndex(matches)).find((at) => at >= 0);
  return index === undefined ? undefined : tried[index]?.steps;
}

/** Whether only React or only the compiled body depends on the changed variable: if both print it, both change. */
function affectsOneSide(now: TextDifference, before: TextDifference): boolean {
  return (now.left === before.left) !== (now.right === before.right);
}

/** Values of the same kind that may lead to another decision. */
function alternativesTo(value: unknown): unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value === 0 ? 1 : 0];
  if (typeof value === "string") return value === "" ? ["x"] : ["", "x"];
  return Array.isArray(value) && value.length > 0 ? [[], [value[0], value[0], value[0], value[0]]] : [undefined];
}

/** The names and indexes that lead to a value within variables. */
export type Steps = readonly (string | number)[];

/** A primitive value, or a list as a whole. */
export interface Leaf {
  readonly steps: Steps;
  readonly value: unknown;
}

/** The values within variables: each list as a whole, and then the values in its first item. */
export function leavesOf(value: unknown, steps: Steps = []): Leaf[] {
  if (Array.isArray(value)) {
    return [{ steps, value }, ...(value.length > 0 ? leavesOf(value[0], [...steps, 0]) : [])];
  }
  if (!isRecord(value)) return [{ steps, value }];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...steps, name]));
}

/** Where two sets of variables differ, with the second's values; undefined if absent. */
export function changedLeaves(before: unknown, after: unknown, steps: Steps = []): Leaf[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((item, index) => changedLeaves(before[index], item, [...steps, index]));
  }
  if (!isRecord(before) || !isRecord(after)) return [{ steps, value: after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => changedLeaves(before[name], after[name], [...steps, name]));
}

/** Variables with one value set, or removed. */
export function withLeaf(variables: Variables, { steps, value }: Leaf): Variables {
  const changed = setAt(variables, steps, value);
  return isRecord(changed) ? changed : variables;
}

function setAt(place: unknown, [step, ...rest]: Steps, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(place)) return place.map((item, index) => (index === step ? setAt(item, rest, value) : item));
  if (!isRecord(place)) return place;
  const { [step]: member, ...others } = place;
  const changed = setAt(member, rest, value);
  if (changed === undefined) return others;
  return member === undefined
    ? { ...place, [step]: changed }
    : Object.fromEntries(Object.entries(place).map(([name, each]) => [name, name === step ? changed : each]));
}
