import type { Variables } from "../../../mustache/variables.js";
import type { VariableProblem, VariablesAnswer } from "../../contract.js";

/** What the server made of variables. */
export interface Completion {
  /** The last that there were: older than what was asked for last while `isPending`, or where that failed. */
  readonly variables?: Variables;
  readonly problems: readonly VariableProblem[];
  /** Why there are no newer ones. */
  readonly trouble?: string;
  readonly isPending: boolean;
  /** Of the question that this answers. */
  readonly key?: string;
}

/** A question to the server, by a key that is the same for the same question. */
export interface Question {
  readonly key: string;
  readonly ask: () => Promise<VariablesAnswer>;
}

const NONE: Completion = { problems: [], isPending: false };
const PAUSE_MS = 120;

/**
 * Asks the server for variables, for each place where they are shown: one question at a time, the newest next, and what
 * was answered last stays until there is another answer.
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

  /** What was answered is of edits that are no more: nothing of it is to show through what is asked next. */
  forget(name: string): void {
    if (this.#places.delete(name)) this.#listeners.forEach((listener) => listener());
  }

  /** Asks, unless that was asked last and is answered or on its way. */
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
  #asked: string | undefined;
  #next: Question | undefined;
  #isBusy = false;
  readonly #tell: () => void;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  ask(question: Question): void {
    if (question.key === this.#asked) return;
    this.#asked = question.key;
    this.#next = question;
    this.#settle({ ...this.completion, isPending: true });
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let question = this.#next; question; question = this.#next) {
      this.#next = undefined;
      const answered = await this.#answer(question);
      const isPending = this.#next !== undefined;
      // So that it is asked again when the server is back.
      if (answered.trouble !== undefined && !isPending) this.#asked = undefined;
      this.#settle({ ...answered, isPending });
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
