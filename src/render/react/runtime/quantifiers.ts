import { choose, lift, pick } from "./choices.js";
import { compute } from "./computed.js";
import { methodCallOf } from "./expressions.js";
import { isPositionTest } from "./implication.js";
import { BOOLEAN } from "./result-shapes.js";
import { forItem, itemOf } from "./items.js";
import { positionValue, type MapCallback } from "./loops.js";
import { not } from "./operators.js";
import { valueOf } from "./paths.js";
import { truthiness } from "./questions.js";
import { refuse } from "./refusal.js";
import { rendering, sited } from "./rendering.js";
import { represented, type Loop, type Path, type Site, type Test } from "./symbolic.js";
import { symbolicOf } from "./texts.js";

/** `list.includes(value)` */
export function includes(list: Path, value: unknown): unknown {
  return lift(value, (each) => {
    if (symbolicOf(each)) {
      const of = valueOf(list);
      return compute({ problem: "searches a list for a variable", about: list, shape: BOOLEAN }, () =>
        methodCallOf(of, "includes", [each]),
      );
    }
    if (!isLiteral(each)) return false;
    const question = { kind: "some", path: ".", test: { kind: "equals", value: each } } as const;
    return pick({ path: list, question }, true, false);
  });
}

function isLiteral(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** `list.some(is)`, `list.every(is)`: the condition for a symbolic item, tested for all items. */
export function quantify(name: "some" | "every", list: Path, is: MapCallback): unknown {
  const { site } = rendering();
  const loop = rendering().loop(sited(list));
  const answer = truthiness(forItem(list, () => is(valueOf(itemOf(loop)), positionValue(loop), valueOf(list))));
  const quantification: Quantification = { loop, site, two: () => (needsTwo = true) };
  let needsTwo = false;
  const result = name === "some" ? some(answer, quantification) : not(some(not(answer), quantification));
  if (!needsTwo) return result;
  return compute({ problem: TWO, about: list, shape: BOOLEAN, site }, () => methodCallOf(valueOf(list), name, [is]));
}

/** Whether a condition that was already computed for a symbolic item is true of some item of a list. */
export function isTrueOfSome(loop: Loop, answer: unknown): unknown {
  const { site } = rendering();
  return some(truthiness(answer), {
    loop,
    site,
    hint: "Compute in derive (variables.ts) whether there are any, and test that.",
  });
}

interface Quantification {
  readonly loop: Loop;
  /** Where the list method is called. */
  readonly site: Site | undefined;
  readonly hint?: string;
  /** How to handle a condition that needs two tests; if absent, it is refused. */
  readonly two?: () => unknown;
}

const TWO = "tests two conditions at once on the items of a list";

/** Whether the condition is true of some item. */
function some(answer: unknown, quantification: Quantification): unknown {
  const { loop } = quantification;
  const symbolic = represented(answer);
  if (symbolic?.kind === "refused") return answer;
  if (symbolic?.kind !== "choice") {
    return answer === true && pick({ path: loop.list, question: { kind: "has-items" } }, true, false);
  }
  const { test, yes, no } = symbolic;
  if (test.path.loop?.id !== loop.id)
    return choose(
      test,
      () => some(yes, quantification),
      () => some(no, quantification),
    );
  if (yes === true) return either(testAll("some", test, quantification), () => some(no, quantification));
  if (no === true) return either(not(testAll("every", test, quantification)), () => some(yes, quantification));
  return handleTwo(quantification);
}

function handleTwo({ loop, site, hint, two }: Quantification): unknown {
  return two ? two() : refuse(loop.list, TWO, { site, ...(hint !== undefined && { hint }) });
}

function either(one: unknown, other: () => unknown): unknown {
  return lift(one, (truth) => (truth === true ? true : other()));
}

function testAll(kind: "some" | "every", { path, question }: Test, quantification: Quantification): unknown {
  if (question.kind === "null") return handleTwo(quantification);
  const { list } = quantification.loop;
  if (isPositionTest(question) || path.names.some((name) => name.startsWith("["))) {
    return refuse(list, "tests the positions of a list's items");
  }
  const test = question.kind === "itself" ? ({ kind: "truthy" } as const) : question;
  return pick({ path: list, question: { kind, path: path.names.join(".") || ".", test } }, true, false);
}
