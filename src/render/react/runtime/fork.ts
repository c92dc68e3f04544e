import { choice, MOST_CASES } from "./choices.js";
import type { Fact } from "./facts.js";
import { refuse } from "./refusal.js";
import { rendering } from "./rendering.js";

/**
 * Runs a function's body whose flow depends on variables (`if (!order.note) return null`) once for each way through it,
 * and gives the choice between the results. A body that asks nothing of a variable runs once, as ever.
 */
export function fork(body: () => unknown): unknown {
  const exploration = new Exploration(body);
  const value = exploration.explore([]);
  exploration.throwIfNoWayReturns();
  return value;
}

const MANY = "Decide in expressions, as `condition ? a : b`, or in smaller functions.";

class Exploration {
  readonly #body: () => unknown;
  readonly #thrown: unknown[] = [];
  #ways = 0;

  constructor(body: () => unknown) {
    this.#body = body;
  }

  /** The ways that begin with these answers. */
  explore(answers: readonly Fact[]): unknown {
    this.#ways += 1;
    const { result, made } = rendering().facts.trying(answers, () => this.#run());
    if (this.#ways > MOST_CASES)
      return refuse(made[0]?.test.path, `leads to more than ${MOST_CASES} ways through a function`, { hint: MANY });
    let value = result;
    for (let last = made.length - 1; last >= answers.length; last -= 1) {
      const fact = made[last];
      if (!fact) continue;
      const otherwise = this.explore([...made.slice(0, last), { test: fact.test, answer: !fact.answer }]);
      value = fact.answer ? choice(fact.test, value, otherwise) : choice(fact.test, otherwise, value);
    }
    return value;
  }

  throwIfNoWayReturns(): void {
    if (this.#thrown.length === this.#ways) throw this.#thrown[0];
  }

  /** A way that throws (`default: throw new Error(…)`) is one that no email comes from: nothing is printed there. */
  #run(): unknown {
    try {
      return this.#body();
    } catch (thrown) {
      if (isSuspension(thrown)) throw thrown;
      this.#thrown.push(thrown);
      return undefined;
    }
  }
}

/** What React throws to render something again later. */
function isSuspension(thrown: unknown): boolean {
  if (typeof thrown !== "object" || thrown === null) return false;
  if ("then" in thrown && typeof thrown.then === "function") return true;
  return thrown instanceof Error && thrown.message.startsWith("Suspense Exception");
}
