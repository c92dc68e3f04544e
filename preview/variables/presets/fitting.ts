import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import type { VariableProblem } from "../../../src/preview/contract.js";
import { startsWith, type ValuePath, valueAt, withValue } from "../path.js";
import { type Amounts, type PresetChange, changesAt, keyOfChange, LONGEST, locate, type Stressed } from "./stress.js";
import { checkVariables } from "../schema/check.js";
import { blankValue } from "../schema/ways.js";
import { itemSchema, kindOf, schemaAt } from "../schema/resolve.js";

/** Finds the problems of variables. */
export type CheckValues = (variables: Variables) => readonly VariableProblem[] | Promise<readonly VariableProblem[]>;

type Make = (amountOf?: Amounts) => Stressed;

/** Checks variables against their schema and, if they fit it, with a check that goes beyond it. */
export function checkWith(schema: VariablesSchema, check: CheckValues): CheckValues {
  return (variables) => {
    const problems = checkVariables(schema, variables);
    return problems.length > 0 ? problems : check(variables);
  };
}

/**
 * Applies as many of the changes as the check accepts. A rejected value keeps its original value or, if it can be cut
 * or is a list, gets the maximum length that is accepted. Problems without a known cause are found by bisection.
 *
 * @param original The variables before the changes. Problems they already have reject nothing.
 * @param canBeCut Whether a rejected string may be shortened.
 */
export async function applyFittingChanges(
  original: Variables,
  make: Make,
  canBeCut: boolean,
  check: CheckValues,
): Promise<Variables> {
  const all = make();
  if ((await check(all.variables)).length === 0) return all.variables;
  const known = new Set((await check(original)).map(keyOfProblem));
  const newProblems = async (variables: Variables): Promise<readonly VariableProblem[]> =>
    (await check(variables)).filter((problem) => !known.has(keyOfProblem(problem)));
  const kept = new Map<string, PresetChange>();
  for (;;) {
    const { variables, changes } = make((key) => (kept.has(key) ? 0 : Infinity));
    const problems = await newProblems(variables);
    if (problems.length === 0) {
      const amounts = new Map([...kept.keys()].map((key) => [key, 0]));
      const keysOf = (wanted: PresetChange["kind"]) =>
        [...kept].flatMap(([key, { kind }]) => (kind === wanted ? [key] : []));
      // If an item is rejected, the length of its list is not checked, so strings come first.
      if (canBeCut) await lengthen(make, amounts, keysOf("text"), newProblems);
      await lengthen(make, amounts, keysOf("count"), newProblems);
      return make((key) => amounts.get(key) ?? Infinity).variables;
    }
    const refused = refusedBy(problems, [...changes.values()]);
    if (refused.length === 0) return halved(make, [...changes.keys()], newProblems);
    for (const change of refused) kept.set(keyOfChange(change), change);
  }
}

function keyOfProblem({ path }: VariableProblem): string {
  return JSON.stringify(locate(path));
}

/** Empty if the problem is about the variables as a whole. */
function refusedBy(problems: readonly VariableProblem[], changes: readonly PresetChange[]): readonly PresetChange[] {
  return problems.flatMap(({ path }) => (path.length === 0 ? [] : changesAt(locate(path), changes)));
}

/** Finds the maximum accepted lengths of rejected strings or lists by bisection, all at the same time. */
async function lengthen(
  make: Make,
  amounts: Map<string, number>,
  keys: readonly string[],
  check: CheckValues,
): Promise<void> {
  const ranges = new Map(keys.map((key) => [key, { fits: 0, fails: LONGEST }]));
  const madeWith = (lengthOf: (range: { fits: number; fails: number }) => number) =>
    make((key) => {
      const range = ranges.get(key);
      return range ? lengthOf(range) : (amounts.get(key) ?? Infinity);
    });
  const middle = ({ fits, fails }: { fits: number; fails: number }) => Math.floor((fits + fails) / 2);
  while ([...ranges.values()].some(({ fits, fails }) => fails - fits > 1)) {
    const { variables, changes } = madeWith(middle);
    const refused = new Set(refusedBy(await check(variables), [...changes.values()]).map(keyOfChange));
    for (const [key, range] of ranges) {
      if (refused.has(key)) range.fails = middle(range);
      else range.fits = middle(range);
    }
  }
  if ((await check(madeWith(({ fits }) => fits).variables)).length > 0) return;
  for (const [key, { fits }] of ranges) amounts.set(key, fits);
}

async function halved(make: Make, keys: readonly string[], check: CheckValues): Promise<Variables> {
  const makeOnly = (wanted: readonly string[]) => make((key) => (wanted.includes(key) ? Infinity : 0)).variables;
  const fits = async (wanted: readonly string[]) => (await check(makeOnly(wanted))).length === 0;
  const add = async (good: readonly string[], more: readonly string[]): Promise<readonly string[]> => {
    if (more.length === 0 || (await fits([...good, ...more]))) return [...good, ...more];
    if (more.length === 1) return good;
    const half = Math.ceil(more.length / 2);
    return add(await add(good, more.slice(0, half)), more.slice(half));
  };
  return makeOnly(await add([], keys));
}

/**
 * Changes a new value until the schema allows it, including limits and patterns: the smallest value that can be
 * guessed, otherwise the value of the item before it.
 */
export async function makeValid(
  variables: Variables,
  schema: VariablesSchema,
  added: ValuePath,
  check: CheckValues,
): Promise<Variables> {
  const checkAll = checkWith(schema, check);
  const checkAdded = async (made: Variables) => (await checkAll(made)).filter(({ path }) => startsWith(path, added));
  const made = await repair(variables, schema, checkAdded);
  const itemBeforeAdded = itemBefore(variables, added);
  return (await checkAdded(made)).reduce((all, { path }) => {
    const value = valueAt(itemBeforeAdded, path.slice(added.length));
    return value === undefined ? all : withValue(all, path, value);
  }, made);
}

function itemBefore(variables: Variables, added: ValuePath): unknown {
  const index = added.at(-1);
  return typeof index === "number" && index > 0 ? valueAt(variables, [...added.slice(0, -1), index - 1]) : undefined;
}

/** Number of attempts. Each doubles the lists, and schemas hardly ever require more items than that. */
const ROUNDS = 5;

/** Fills in values that are missing or too short, as well as can be guessed. */
export async function repair(variables: Variables, root: VariablesSchema, check: CheckValues): Promise<Variables> {
  let made = variables;
  for (let round = 0; round < ROUNDS; round += 1) {
    const problems = await check(made);
    if (problems.length === 0) break;
    for (const { path } of problems) {
      const schema = path.length === 0 ? undefined : schemaAt(made, path, root);
      if (schema) made = withValue(made, path, repaired(valueAt(made, path), schema, root));
    }
  }
  return made;
}

function repaired(value: unknown, schema: VariablesSchema, root: VariablesSchema): unknown {
  const kind = kindOf(schema);
  if (kind === "list" && Array.isArray(value) && schema.prefixItems === undefined) {
    const more = Array.from({ length: Math.max(1, value.length) }, () => blankValue(itemSchema(schema, 0), root));
    return [...value, ...more];
  }
  const blank = blankValue(schema, root);
  if (kind === "number" && blank === value) return 1;
  return kind === "text" && schema.format === undefined && value === "" ? "Placeholder text" : blank;
}
