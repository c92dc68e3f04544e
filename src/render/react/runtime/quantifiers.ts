import type { Question } from "../../../mustache/variables.js";
import { choose, lift, pick } from "./choices.js";
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
    if (symbolicOf(each)) return refuse(list, "looks in a list for a variable");
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
  return name === "some" ? some(answer, { loop, site }) : not(some(not(answer), { loop, site }));
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
}

/** Whether the answer is yes for some item. */
function some(answer: unknown, asking: Asking): unknown {
  const { loop, site, hint } = asking;
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
  if (yes === true) return either(ask("some", test, loop.list), () => some(no, asking));
  if (no === true) return either(not(ask("every", test, loop.list)), () => some(yes, asking));
  return refuse(loop.list, "asks two things at once of the items of a list", {
    site,
    ...(hint !== undefined && { hint }),
  });
}

function either(one: unknown, other: () => unknown): unknown {
  return lift(one, (truth) => (truth === true ? true : other()));
}

function ask(kind: "some" | "every", { path, question }: Test, list: Path): unknown {
  const test = asQuestion(question);
  if (!test || path.names.some((name) => name.startsWith("["))) {
    return refuse(list, "asks where the items of a list stand");
  }
  return pick({ path: list, question: { kind, path: path.names.join(".") || ".", test } }, true, false);
}

function asQuestion(question: Test["question"]): Question | undefined {
  if (question.kind === "itself") return { kind: "truthy" };
  return question.kind === "among-first" || question.kind === "among-last" ? undefined : question;
}
