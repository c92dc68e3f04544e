import { LettershopError } from "../errors.js";
import type { Path, Scope } from "./lookup.js";

/** How much it may take to fill one text, where templates and variables are strangers'. */
export interface FillLimits {
  /**
   * A tag is one step for each context that it may look into and each part of its name; each item of a section or of a
   * printed list is one more. A million take about a quarter of a second.
   */
  readonly steps: number;
  /** UTF-16 units of what comes out. */
  readonly length: number;
}

/** Filling a text took more than it may. */
export class FillLimitError extends LettershopError {
  override readonly name = "FillLimitError";
  readonly code = "fill_limit";

  constructor(
    /** Which of the limits it was. */
    readonly limit: keyof FillLimits,
    readonly max: number,
  ) {
    super(
      limit === "length"
        ? `The filled text is longer than ${max} characters.`
        : `Filling the text takes more than ${max} steps.`,
      { hint: "Pass shorter lists and texts, or nest fewer sections over lists." },
    );
  }
}

/** Counts what filling one text takes, before it takes it. */
export class Meter {
  readonly #limits;
  #steps = 0;
  #length = 0;

  constructor(limits: FillLimits) {
    this.#limits = limits;
  }

  /** @throws FillLimitError where these are too many. */
  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > this.#limits.steps) throw new FillLimitError("steps", this.#limits.steps);
  }

  lookUp(scope: Scope, { rest }: Path): void {
    this.step(1 + rest.length);
    for (let at = scope.outer; at; at = at.outer) this.step();
  }

  /** A value that is to be printed: a list's items are, lists in it too. */
  print(value: unknown): void {
    if (!Array.isArray(value)) return;
    for (const item of value) {
      this.step();
      this.print(item);
    }
  }

  /** @throws FillLimitError where this much more text is too much. */
  write(length: number): void {
    this.#length += length;
    if (this.#length > this.#limits.length) throw new FillLimitError("length", this.#limits.length);
  }
}
