import { answerForAbsent, impliedAnswer } from "./implication.js";
import { maybeMissing } from "./kinds.js";
import type { Path, Question, Test } from "./symbolic.js";

/** The same for two paths to the same variable of the same item. */
export function pathKey({ loop, names }: Path): string {
  return `${loop?.id ?? ""}/${names.join(".")}`;
}

export function testKey({ path, question }: Test): string {
  return `${pathKey(path)} ${JSON.stringify(question)}`;
}

/** A result that is assumed for now. */
export interface Fact {
  readonly test: Test;
  readonly answer: boolean;
}

/**
 * What is known while one case of a choice is computed: inside `order.note && …`, the note is present. This keeps the output
 * small, and avoids impossible combinations.
 */
export class Facts {
  readonly #facts: Fact[];
  readonly #trials: Trial[] = [];

  /** @param facts What is always known. */
  constructor(facts: readonly Fact[]) {
    this.#facts = [...facts];
  }

  /** The result of a test, if known facts decide it. */
  known(test: Test): boolean | undefined {
    return answerFrom([...this.#trials.flatMap(({ made }) => made), ...this.#facts], test);
  }

  /** What is known about a variable itself. */
  about(path: Path): { readonly question: Question; readonly answer: boolean }[] {
    const about = pathKey(path);
    const facts = [...this.#trials.flatMap(({ made }) => made), ...this.#facts];
    return facts.flatMap(({ test: { path: of, question }, answer }) =>
      pathKey(of) === about ? [{ question, answer }] : [],
    );
  }

  assuming<T>(test: Test, answer: boolean, work: () => T): T {
    this.#facts.push({ test, answer });
    try {
      return work();
    } finally {
      this.#facts.pop();
    }
  }

  /** Runs a function's body with these results, and with true for each further test that it decides on. */
  trying<T>(results: readonly Fact[], body: () => T): { readonly result: T; readonly made: readonly Fact[] } {
    const trial = new Trial(results);
    this.#trials.push(trial);
    try {
      return { result: body(), made: trial.made };
    } finally {
      this.#trials.pop();
    }
  }

  /** Decides a test within the innermost body being tried; undefined if there is none. */
  decide(test: Test): boolean | undefined {
    return this.known(test) ?? this.#trials.at(-1)?.decide(test);
  }
}

/** One path through a function's body. */
class Trial {
  readonly made: Fact[] = [];
  readonly #results: readonly Fact[];

  constructor(results: readonly Fact[]) {
    this.#results = results;
  }

  decide(test: Test): boolean {
    const answer = this.#results[this.made.length]?.answer ?? true;
    this.made.push({ test, answer });
    return answer;
  }
}

/** The same test on the value that decides it. */
export function essential(test: Test): Test {
  const { path, question } = test;
  return question.kind === "present" && path.holder ? essential({ path: path.holder, question }) : test;
}

/** The result that follows from facts about the same variable, and about the objects that contain it. */
export function answerFrom(facts: readonly Fact[], wanted: Test): boolean | undefined {
  const test = essential(wanted);
  if (isGone(facts, test)) return answerForAbsent(test.question);
  const about = pathKey(test.path);
  const related = facts.filter((fact) => pathKey(fact.test.path) === about);
  const tested = testKey(test);
  const same = related.find((fact) => testKey(fact.test) === tested);
  if (same) return same.answer;
  return impliedAnswer(related, test) ?? (isThere(facts, test) || undefined);
}

/** If an object is absent, so are its members. */
function isGone(facts: readonly Fact[], { path }: Test): boolean {
  const key = pathKey(path);
  return facts.some(
    ({ test, answer }) => !answer && test.question.kind === "present" && key.startsWith(`${pathKey(test.path)}.`),
  );
}

/** An object with a present member is present; so are the items of a list that is long enough. */
function isThere(facts: readonly Fact[], { path, question }: Test): boolean {
  if (question.kind !== "present") return false;
  const [key, step] = [pathKey(path), path.names.at(-1) ?? ""];
  const list = pathKey({ ...path, names: path.names.slice(0, -1) });
  const number = Number(/^\[(-?\d+)\]$/.exec(step)?.[1]);
  const needed = number < 0 ? -number : number + 1;
  return facts.some(({ test, answer }) => {
    if (!answer) return false;
    const [about, tested] = [pathKey(test.path), test.question];
    if (about.startsWith(`${key}.`)) return tested.kind !== "equals" || tested.value !== null;
    if (about !== list || maybeMissing({ ...path, optional: false })) return false;
    return lengthShownBy(tested) >= needed;
  });
}

/** The minimum length of a list for which this holds. */
function lengthShownBy(question: Test["question"]): number {
  if (question.kind === "has-at-least" || question.kind === "has-exactly") return question.count;
  return question.kind === "has-items" ? 1 : 0;
}
