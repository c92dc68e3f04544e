import type { Variables } from "../../src/mustache/variables.js";
import type { VariableProblem, VariablesAnswer } from "../../src/preview/contract.js";

/** The server's answer about variables. */
export interface Completion {
  /** The last known variables. They are older than the request while `isPending`, or if it failed. */
  readonly variables?: Variables;
  readonly problems: readonly VariableProblem[];
  /** Why there are no newer variables. */
  readonly trouble?: string;
  readonly isPending: boolean;
  /** The key of the question that this answers. */
  readonly key?: string;
}

/** A question to the server. Equal questions have the same key. */
export interface Question {
  readonly key: string;
  readonly ask: () => Promise<VariablesAnswer>;
}

const NONE: Completion = { problems: [], isPending: false };
const PAUSE_MS = 120;

/**
 * Asks the server about variables for each place that shows them. Each place sends one request at a time and then the
 * newest question. The last answer stays until there is a newer one.
 */
export class Completions {
  readonly #places = new Map<string, Place>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  at(place: string): Completion {
    return this.#places.get(place)?.completion ?? NONE;
  }

  /** Drops the answer to edits that no longer exist, so that it does not show through until the next answer. */
  forget(name: string): void {
    if (this.#places.delete(name)) this.#listeners.forEach((listener) => listener());
  }

  /** Sends the question unless it was the last one and is answered or pending. */
  ask(name: string, question: Question): void {
    const place = this.#places.get(name) ?? new Place(() => this.#listeners.forEach((listener) => listener()));
    this.#places.delete(name);
    this.#places.set(name, place);
    for (const [oldest] of this.#places) if (this.#places.size > MOST_PLACES) this.#places.delete(oldest);
    place.ask(question);
  }
}

const MOST_PLACES = 50;

class Place {
  completion: Completion = NONE;
  #lastKey: string | undefined;
  #next: Question | undefined;
  #isBusy = false;
  readonly #tell: () => void;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  ask(question: Question): void {
    if (question.key === this.#lastKey) return;
    this.#lastKey = question.key;
    this.#next = question;
    this.#settle({ ...this.completion, isPending: true });
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let question = this.#next; question; question = this.#next) {
      this.#next = undefined;
      const outcome = await this.#answer(question);
      const isPending = this.#next !== undefined;
      // Allows the same question again, because the server may be back by then.
      if (outcome.trouble !== undefined && !isPending) this.#lastKey = undefined;
      this.#settle({ ...outcome, isPending });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.#isBusy = false;
  }

  async #answer({ key, ask }: Question): Promise<Completion> {
    try {
      const answer = await ask();
      if ("variables" in answer) return { key, variables: answer.variables, problems: [], isPending: false };
      return { ...this.#last, key, problems: answer.problems, isPending: false };
    } catch (error) {
      const trouble = error instanceof Error ? error.message : String(error);
      return { ...this.#last, problems: [], trouble, isPending: false };
    }
  }

  get #last(): Pick<Completion, "variables"> {
    const { variables } = this.completion;
    return variables === undefined ? {} : { variables };
  }

  #settle(completion: Completion): void {
    this.completion = completion;
    this.#tell();
  }
}

export const completions = new Completions();
