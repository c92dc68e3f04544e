import { choice, MOST_CASES } from "./choices.js";
import type { Fact } from "./facts.js";
import { refuse } from "./refusal.js";
import { rendering } from "./rendering.js";

/**
 * Runs a function's body whose flow depends on variables (`if (!order.note) return null`) once for each path through it, and
 * returns a choice between the results. A body without tests on variables runs once.
 */
export function fork(body: () => unknown): unknown {
  const exploration = new Exploration(body);
  const value = exploration.explore([]);
  exploration.throwIfNoPathReturns();
  return value;
}

const MANY_PATHS = "Decide in expressions, such as `condition ? a : b`, or in smaller functions.";

class Exploration {
  readonly #body: () => unknown;
  readonly #thrown: unknown[] = [];
  #paths = 0;

  constructor(body: () => unknown) {
    this.#body = body;
  }

  /** Explores the paths that begin with these results. */
  explore(results: readonly Fact[]): unknown {
    this.#paths += 1;
    const { result, made } = rendering().facts.trying(results, () => this.#run());
    if (this.#paths > MOST_CASES)
      return refuse(made[0]?.test.path, `leads to more than ${MOST_CASES} paths through a function`, { hint: MANY_PATHS });
    let value = result;
    for (let last = made.length - 1; last >= results.length; last -= 1) {
      const fact = made[last];
      if (!fact) continue;
      const other = this.explore([...made.slice(0, last), { test: fact.test, answer: !fact.answer }]);
      value = fact.answer ? choice(fact.test, value, other) : choice(fact.test, other, value);
    }
    return value;
  }

  throwIfNoPathReturns(): void {
    if (this.#thrown.length === this.#paths) throw this.#thrown[0];
  }

  /** A path that throws (`default: throw new Error(…)`) never produces an email: nothing is printed there. */
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

/** Thrown by React to render something again later. */
function isSuspension(thrown: unknown): boolean {
  if (typeof thrown !== "object" || thrown === null) return false;
  if ("then" in thrown && typeof thrown.then === "function") return true;
  return thrown instanceof Error && thrown.message.startsWith("Suspense Exception");
}
