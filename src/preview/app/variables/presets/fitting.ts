import type { Variables } from "../../../../mustache/variables.js";
import type { VariableProblem } from "../../../contract.js";
import { stepsOf } from "../path.js";
import { type Change, changesAt, keyOfChange, placeOf } from "./change.js";
import type { Stressed } from "./stress.js";

/** What is wrong with variables, as far as somebody knows. */
export type Check = (variables: Variables) => readonly VariableProblem[] | Promise<readonly VariableProblem[]>;

type Make = (isWanted: (key: string) => boolean) => Stressed;

/**
 * Variables with as many of the changes as the check lets through: what is refused keeps its value, and whatever else
 * refuses is found by halves.
 *
 * @param given What the changes begin with. What is wrong there already refuses nothing.
 */
export async function fitting(given: Variables, make: Make, check: Check): Promise<Variables> {
  const all = make(() => true);
  if ((await check(all.variables)).length === 0) return all.variables;
  const known = new Set((await check(given)).map(keyOfProblem));
  const newProblems = async (variables: Variables): Promise<readonly VariableProblem[]> =>
    (await check(variables)).filter((problem) => !known.has(keyOfProblem(problem)));
  const kept = new Set<string>();
  for (;;) {
    const { variables, changes } = make((key) => !kept.has(key));
    const problems = await newProblems(variables);
    if (problems.length === 0) return variables;
    const refused = refusedBy(problems, [...changes.values()]);
    if (refused.length === 0) return halved(make, [...changes.keys()], newProblems);
    for (const change of refused) kept.add(keyOfChange(change));
  }
}

function keyOfProblem({ path }: VariableProblem): string {
  return JSON.stringify(placeOf(stepsOf(path)));
}

/** Nothing where it is said of the variables as a whole. */
function refusedBy(problems: readonly VariableProblem[], changes: readonly Change[]): readonly Change[] {
  return problems.flatMap(({ path }) => (path.length === 0 ? [] : changesAt(placeOf(stepsOf(path)), changes)));
}

async function halved(make: Make, keys: readonly string[], check: Check): Promise<Variables> {
  const fits = async (wanted: readonly string[]): Promise<boolean> =>
    (await check(make((key) => wanted.includes(key)).variables)).length === 0;
  const add = async (good: readonly string[], more: readonly string[]): Promise<readonly string[]> => {
    if (more.length === 0 || (await fits([...good, ...more]))) return [...good, ...more];
    if (more.length === 1) return good;
    const half = Math.ceil(more.length / 2);
    return add(await add(good, more.slice(0, half)), more.slice(half));
  };
  const wanted = await add([], keys);
  return make((key) => wanted.includes(key)).variables;
}
