import { completeVariables } from "../../mustache/complete.js";
import type { VariablesContract } from "../../mustache/variables.js";
import type { Example } from "./examples.js";
import type { Difference } from "./normalise.js";
import { changedLeaves, leavesOf, withLeaf, type Steps } from "./leaves.js";
import type { Failure, Trial } from "./trial.js";

type Differing = Extract<Failure, { kind: "differs" }>;

/** Maximum number of variables to try one by one. */
const MOST_TRIED = 100;

/**
 * The variable that causes the difference between React and the compiled body: the one that, changed alone in the fixture
 * as in the variation, reproduces the difference; or that, changed in the fixture itself, removes it.
 *
 * @param fixture The fixture that a variation was made from, if it is one.
 */
export async function findCulprit(
  { example, difference }: Differing,
  trial: Trial,
  contract: VariablesContract,
  fixture?: Example,
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
  const criteria: ((failure: Failure | undefined) => boolean)[] = fixture
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
function affectsOneSide(now: Difference, before: Difference): boolean {
  return (now.left === before.left) !== (now.right === before.right);
}

/** Values of the same kind that may lead to another decision. */
function alternativesTo(value: unknown): unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value === 0 ? 1 : 0];
  if (typeof value === "string") return value === "" ? ["x"] : ["", "x"];
  return Array.isArray(value) && value.length > 0 ? [[], [value[0], value[0], value[0], value[0]]] : [undefined];
}
