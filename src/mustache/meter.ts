import { LettershopError } from "../errors.js";
import type { Path, Context } from "./lookup.js";

/** Limits for filling one text, for untrusted templates and variables. */
export interface FillLimits {
  /**
   * A tag counts one step for each context that it may search and each part of its name; each item of a section or of a
   * printed list counts one more. A million steps take about a quarter of a second.
   */
  readonly steps: number;
  /** Of the output, in UTF-16 units. */
  readonly length: number;
}

/** Thrown if filling a string exceeds its limits. */
export class FillLimitError extends LettershopError {
  override readonly name = "FillLimitError";
  readonly code = "fill_limit";

  constructor(
    /** The limit that was exceeded. */
    readonly limit: keyof FillLimits,
    readonly max: number,
  ) {
    super(
      limit === "length"
        ? `The filled text is longer than ${max} characters.`
        : `Filling the text takes more than ${max} steps.`,
      { hint: "Pass shorter lists and strings, or nest fewer sections over lists." },
    );
  }
}

/** Counts the cost of filling one text, before it is spent. */
export class Meter {
  readonly #limits;
  #steps = 0;
  #length = 0;

  constructor(limits: FillLimits) {
    this.#limits = limits;
  }

  /** @throws FillLimitError if there are too many steps. */
  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > this.#limits.steps) throw new FillLimitError("steps", this.#limits.steps);
  }

  lookUp(scope: Context, { rest }: Path): void {
    this.step(1 + rest.length);
    for (let at = scope.outer; at; at = at.outer) this.step();
  }

  /** A value to print: list items count, also in nested lists. */
  print(value: unknown): void {
    if (!Array.isArray(value)) return;
    for (const item of value) {
      this.step();
      this.print(item);
    }
  }

  /** @throws FillLimitError if the output would become too long. */
  write(length: number): void {
    this.#length += length;
    if (this.#length > this.#limits.length) throw new FillLimitError("length", this.#limits.length);
  }
}
