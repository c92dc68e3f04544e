import { holds } from "../../../mustache/complete.js";
import type { PassedNull, Question as ValueQuestion, PositionTest } from "../../../mustache/variables.js";
import type { Fact } from "./facts.js";
import { kindsOf, literalsOf, maybeMissing, type Kind } from "./kinds.js";
import type { Path, Question, Test } from "./symbolic.js";

/** The result of a test on a variable that follows from other results and its type. */
export function impliedAnswer(facts: readonly Fact[], { path, question }: Test): boolean | undefined {
  if (isPositionTest(question)) return impliedPosition(facts, question);
  const certain = facts.flatMap(({ test, answer }) =>
    isSimple(test.question) ? [{ question: test.question, answer }] : [],
  );
  if (!isSimple(question) || (certain.length === 0 && question.kind !== "present")) return undefined;
  const values = samples(path, [question, ...certain.map((fact) => fact.question)]);
  const possible = values.filter((value) => certain.every((fact) => answerOf(fact.question, value) === fact.answer));
  const results = new Set(possible.map((value) => answerOf(question, value)));
  const [only] = results;
  return results.size === 1 ? only : undefined;
}

/** An item among the first two is also among the first three. */
function impliedPosition(facts: readonly Fact[], wanted: PositionTest): boolean | undefined {
  for (const { test, answer } of facts) {
    const earlier = test.question;
    if (earlier.kind !== wanted.kind) continue;
    if (answer ? earlier.count <= wanted.count : earlier.count >= wanted.count) return answer;
  }
  return undefined;
}

type SimpleQuestion =
  | Exclude<ValueQuestion, { readonly kind: "some" | "every" }>
  | PassedNull
  | { readonly kind: "itself" };

export function isPositionTest(question: Question): question is PositionTest {
  return question.kind === "among-first" || question.kind === "among-last";
}

/** Whether it is about the value itself, not about its content. */
function isSimple(question: Question): question is SimpleQuestion {
  return !isPositionTest(question) && question.kind !== "some" && question.kind !== "every";
}

/** The result of a test on an absent value. */
export function answerForAbsent(question: Question): boolean | undefined {
  if (isPositionTest(question)) return undefined;
  return answerOf(question, undefined);
}

/** Whether a test has this result for a value; true if the test is about its content. */
export function agrees({ question, answer }: Pick<Test, "question"> & Pick<Fact, "answer">, value: unknown): boolean {
  return !isSimple(question) || answerOf(question, value) === answer;
}

function answerOf(question: Exclude<Question, PositionTest>, value: unknown): boolean {
  if (question.kind === "null") return value === null;
  return holds(question.kind === "itself" ? { kind: "truthy" } : question, value);
}

/** Values of each kind that the tests distinguish, as far as the variable's type allows them. */
function samples(path: Path, questions: readonly SimpleQuestion[]): unknown[] {
  const literals = questions.flatMap((question) => (question.kind === "equals" ? [question.value] : []));
  const counts = questions.flatMap((question) => (question.kind === "has-at-least" ? [question.count] : []));
  const exact = questions.flatMap((question) => (question.kind === "has-exactly" ? [question.count] : []));
  const bounds = questions.flatMap((question) => (question.kind === "compares" ? [question.value] : []));
  const lengths = [0, 1, ...[...counts, ...exact].flatMap((count) => [count - 1, count, count + 1])];
  const sorts: Readonly<Record<Kind, readonly unknown[]>> = {
    null: path.optional ? [null, undefined] : [null],
    boolean: [false, true],
    string: [...literals.filter((each) => typeof each === "string"), ...lengths.map((length) => OTHER.repeat(length))],
    number: around([0, ...bounds, ...literals.filter((each) => typeof each === "number")]),
    list: lengths.map((length) => Array.from({ length })),
    object: [{}],
  };
  const kinds = kindsOf(path);
  const possible = Object.keys(sorts)
    .filter(isKind)
    .filter((kind) =>
      kind === "null" ? !path.sure || maybeMissing(path) : !path.shape.isKnown || onlyNull(kinds) || kinds.has(kind),
    );
  const known = literalsOf(path);
  return possible.flatMap((kind) =>
    known && kind !== "null" ? known.filter((each) => each !== null && typeof each === kind) : sorts[kind],
  );
}

/** A character that no literal in a template has. */
const OTHER = "\uE000";

function onlyNull(kinds: ReadonlySet<Kind>): boolean {
  return kinds.size === 1 && kinds.has("null");
}

/** Numbers, with one number on each side of each. */
function around(numbers: readonly number[]): number[] {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const [first = 0, last = first] = [sorted[0], sorted.at(-1)];
  const between = sorted.slice(1).map((number, index) => (number + (sorted[index] ?? number)) / 2);
  return [first - 1, ...sorted, ...between, last + 1];
}

function isKind(name: string): name is Kind {
  return ["null", "boolean", "string", "number", "list", "object"].includes(name);
}
