import { LettershopError } from "../../errors.js";
import { CutContentError } from "./cut-content.js";

/** Templates in a row that fail before the service counts as down: one or two may have a fault of their own. */
const FAILED_MAX = 3;

/** The service failed for several templates in a row, so the others were not begun. */
export class OutageError extends LettershopError {
  override readonly name = "OutageError";
  readonly code = "outage";
}

/**
 * What the operations of a run know together of whether the service works. While that is in doubt, one of them tries and
 * the others wait for what it finds out, so that an outage costs the tries of one template instead of all of them.
 */
export class Outage {
  /** Since the service last accepted or refused one. */
  #failedWrites = 0;
  #failedOperations = 0;
  #trying: object | undefined;
  readonly #waiting: (() => void)[] = [];
  /** Whether what became of a write could not be looked up: nor can it be of other writes. */
  isUnreadable = false;

  /** @param halt Lets nothing begin any more. */
  constructor(private readonly halt: (error: Error) => void) {}

  /** Whether an operation has used up its tries: others need not do the same. */
  get isConfirmed(): boolean {
    return this.#failedOperations > 0;
  }

  /** Resolves when the operation may go on: at once while the service works. */
  async turn(operation: object): Promise<void> {
    while (this.#isInDoubt && this.#trying !== undefined && this.#trying !== operation)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#isInDoubt) this.#trying = operation;
  }

  writeFailed(operation: object): void {
    this.#failedWrites += 1;
    this.#trying ??= operation;
  }

  /** The service accepted a write, or refused it for what it says. */
  writeAnswered(): void {
    this.#failedWrites = 0;
    this.#failedOperations = 0;
    this.#passOn();
  }

  /** @param error Where the service is why it came to nothing. */
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
    if (error instanceof CutContentError) return `The service stored only a part of ${FAILED_MAX} templates in a row.`;
    if (this.#failedWrites > 0) return `The service has not accepted a write for ${this.#failedWrites} requests.`;
    return `The service could not be read for ${FAILED_MAX} templates in a row.`;
  }

  #passOn(): void {
    this.#trying = undefined;
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
