import { choose, lift, pick } from "./choices.js";
import { compute } from "./computed.js";
import { methodCallOf } from "./expressions.js";
import { isStanding } from "./implication.js";
import { FLAG } from "./result-shapes.js";
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
      return compute({ problem: "looks in a list for a variable", about: list, shape: FLAG }, () =>
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

/** `list.some(is)`, `list.every(is)`: what the function asks of whatever item, asked of all of them. */
export function quantify(name: "some" | "every", list: Path, is: MapCallback): unknown {
  const { site } = rendering();
  const loop = rendering().loop(sited(list));
  const answer = truthiness(forItem(list, () => is(valueOf(itemOf(loop)), positionValue(loop), valueOf(list))));
  const asking: Asking = { loop, site, two: () => (isOfTwo = true) };
  let isOfTwo = false;
  const result = name === "some" ? some(answer, asking) : not(some(not(answer), asking));
  if (!isOfTwo) return result;
  return compute({ problem: TWO, about: list, shape: FLAG, site }, () => methodCallOf(valueOf(list), name, [is]));
}

/** Whether of some item of a list something is so that was worked out already, for whatever item. */
export function holdsForSome(loop: Loop, answer: unknown): unknown {
  const { site } = rendering();
  return some(truthiness(answer), {
    loop,
    site,
    hint: "Let derive (variables.ts) say whether there are any, and ask that.",
  });
}

interface Asking {
  readonly loop: Loop;
  /** Where the list's method is called. */
  readonly site: Site | undefined;
  readonly hint?: string;
  /** What to do about an answer that takes two questions; without it, it is refused. */
  readonly two?: () => unknown;
}

const TWO = "asks two things at once of the items of a list";

/** Whether the answer is yes for some item. */
function some(answer: unknown, asking: Asking): unknown {
  const { loop } = asking;
  const symbolic = represented(answer);
  if (symbolic?.kind === "refused") return answer;
  if (symbolic?.kind !== "choice") {
    return answer === true && pick({ path: loop.list, question: { kind: "has-items" } }, true, false);
  }
  const { test, yes, no } = symbolic;
  if (test.path.loop?.id !== loop.id)
    return choose(
      test,
      () => some(yes, asking),
      () => some(no, asking),
    );
  if (yes === true) return either(ask("some", test, asking), () => some(no, asking));
  if (no === true) return either(not(ask("every", test, asking)), () => some(yes, asking));
  return refuseTwo(asking);
}

function refuseTwo({ loop, site, hint, two }: Asking): unknown {
  return two ? two() : refuse(loop.list, TWO, { site, ...(hint !== undefined && { hint }) });
}

function either(one: unknown, other: () => unknown): unknown {
  return lift(one, (truth) => (truth === true ? true : other()));
}

function ask(kind: "some" | "every", { path, question }: Test, asking: Asking): unknown {
  if (question.kind === "null") return refuseTwo(asking);
  const { list } = asking.loop;
  if (isStanding(question) || path.names.some((name) => name.startsWith("["))) {
    return refuse(list, "asks where the items of a list stand");
  }
  const test = question.kind === "itself" ? ({ kind: "truthy" } as const) : question;
  return pick({ path: list, question: { kind, path: path.names.join(".") || ".", test } }, true, false);
}
