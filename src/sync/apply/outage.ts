import { LettershopError } from "../../errors.js";
import { CutContentError } from "./outcome.js";

/** Failed templates in a row after which the service counts as down: one or two may fail for their own reasons. */
const FAILED_MAX = 3;

/** The service failed for several templates in a row, so the others were not started. */
export class OutageError extends LettershopError {
  override readonly name = "OutageError";
  readonly code = "outage";
}

/**
 * The shared knowledge of a run's operations about whether the service works. While that is in doubt, one of them tries
 * and the others wait for the result, so that an outage costs the tries of one template instead of all.
 */
export class Outage {
  /** Since the service last accepted or refused a write. */
  #failedWrites = 0;
  #failedOperations = 0;
  #trying: object | undefined;
  readonly #waiting: (() => void)[] = [];
  /** Whether the effect of a write could not be looked up: then that is not possible for other writes either. */
  isUnreadable = false;

  /** @param halt Stops further operations from starting. */
  constructor(private readonly halt: (error: Error) => void) {}

  /** Whether an operation has used up its tries, so that others need not. */
  get isConfirmed(): boolean {
    return this.#failedOperations > 0;
  }

  /** Resolves when the operation may continue: immediately while the service works. */
  async turn(operation: object): Promise<void> {
    while (this.#isInDoubt && this.#trying !== undefined && this.#trying !== operation)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#isInDoubt) this.#trying = operation;
  }

  writeFailed(operation: object): void {
    this.#failedWrites += 1;
    this.#trying ??= operation;
  }

  /** The service accepted a write, or refused its content. */
  writeAnswered(): void {
    this.#failedWrites = 0;
    this.#failedOperations = 0;
    this.#passOn();
  }

  /** @param error Set if the operation failed because of the service. */
  ended(operation: object, error: Error | undefined): void {
    if (error !== undefined) {
      this.#failedOperations += 1;
      if (this.#failedOperations === FAILED_MAX) this.halt(new OutageError(this.#reasonFor(error)));
    }
    if (this.#trying === operation) this.#passOn();
  }

  get #isInDoubt(): boolean {
    return this.#failedWrites + this.#failedOperations > 0;
  }

  #reasonFor(error: Error): string {
    if (error instanceof CutContentError) return `The service stored only part of ${FAILED_MAX} templates in a row.`;
    if (this.#failedWrites > 0) return `The service has not accepted a write for ${this.#failedWrites} requests.`;
    return `The service could not be read for ${FAILED_MAX} templates in a row.`;
  }

  #passOn(): void {
    this.#trying = undefined;
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
