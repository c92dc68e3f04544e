import type { Path, Question, Test } from "./symbolic.js";

/** The same for two paths to the same variable of the same item. */
export function pathKey({ loop, names }: Path): string {
  return `${loop?.id ?? ""}/${names.join(".")}`;
}

export function testKey({ path, question }: Test): string {
  const value = question.kind === "equals" ? JSON.stringify(question.value) : "";
  return `${pathKey(path)} ${question.kind} ${value}`;
}

/** An answer that is taken for granted for now. */
export interface Fact {
  readonly test: Test;
  readonly answer: boolean;
}

/**
 * What is known while one case of a choice is worked out: inside of `order.note && …` the note is there. It keeps the
 * output small, and spares code the combinations of answers that cannot be.
 */
export class Facts {
  readonly #facts: Fact[];
  readonly #trials: Trial[] = [];

  /** @param given What is known all along. */
  constructor(given: readonly Fact[]) {
    this.#facts = [...given];
  }

  /** The answer to a test, where what is known decides it. */
  known(test: Test): boolean | undefined {
    for (const { made } of this.#trials) {
      const answer = answerFrom(made, test);
      if (answer !== undefined) return answer;
    }
    return answerFrom(this.#facts, test);
  }

  assuming<T>(test: Test, answer: boolean, work: () => T): T {
    this.#facts.push({ test, answer });
    try {
      return work();
    } finally {
      this.#facts.pop();
    }
  }

  /** Runs a function's body with these answers, and with yes to each further test that it decides on. */
  trying<T>(answers: readonly Fact[], body: () => T): { readonly result: T; readonly made: readonly Fact[] } {
    const trial = new Trial(answers);
    this.#trials.push(trial);
    try {
      return { result: body(), made: trial.made };
    } finally {
      this.#trials.pop();
    }
  }

  /** Decides a test within the innermost body that is being tried; undefined where there is none. */
  decide(test: Test): boolean | undefined {
    return this.known(test) ?? this.#trials.at(-1)?.decide(test);
  }
}

/** One way through a function's body. */
class Trial {
  readonly made: Fact[] = [];
  readonly #answers: readonly Fact[];

  constructor(answers: readonly Fact[]) {
    this.#answers = answers;
  }

  decide(test: Test): boolean {
    const answer = this.#answers[this.made.length]?.answer ?? true;
    this.made.push({ test, answer });
    return answer;
  }
}

export function answerFrom(facts: readonly Fact[], test: Test): boolean | undefined {
  const about = pathKey(test.path);
  const asked = testKey(test);
  for (const fact of facts) {
    if (pathKey(fact.test.path) !== about) continue;
    const answer = testKey(fact.test) === asked ? fact.answer : implied(fact, test.question);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** What the answer to one question about a variable says about another. */
function implied({ test: { question: given }, answer }: Fact, asked: Question): boolean | undefined {
  if (given.kind === "equals" && answer) return holds(asked, given.value);
  if (given.kind === "equals") return undefined;
  if (given.kind === "present") return answer || (asked.kind === "equals" && asked.value === null) ? undefined : false;
  if (answer) return impliedByTruth(asked);
  if (given.kind === "has-items") return undefined;
  if (asked.kind === "equals") return asked.value ? false : undefined;
  return asked.kind === "present" ? undefined : false;
}

function impliedByTruth(asked: Question): boolean | undefined {
  if (asked.kind === "present" || asked.kind === "truthy") return true;
  return asked.kind === "equals" && !asked.value ? false : undefined;
}

function holds(question: Question, value: unknown): boolean {
  if (question.kind === "present") return value !== null;
  if (question.kind === "equals") return question.value === value;
  return question.kind !== "has-items" && Boolean(value);
}
