import { LettershopError } from "../../errors.js";

/** Templates in a row that fail before the service counts as down: one or two may have a fault of their own. */
const FAILED_MAX = 3;

/** The service failed for several templates in a row, so the others were not begun. */
export class OutageError extends LettershopError {
  override readonly name = "OutageError";
  readonly code = "outage";

  /** @param writes Requests to write since the service last accepted one. */
  constructor(writes: number) {
    super(
      writes > 0
        ? `The service has not accepted a write for ${writes} requests.`
        : `The service could not be read for ${FAILED_MAX} templates in a row.`,
    );
  }
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

  /** @param hasFailed Whether the service is why it came to nothing. */
  ended(operation: object, hasFailed: boolean): void {
    if (hasFailed) {
      this.#failedOperations += 1;
      if (this.#failedOperations === FAILED_MAX) this.halt(new OutageError(this.#failedWrites));
    }
    if (this.#trying === operation) this.#passOn();
  }

  get #isInDoubt(): boolean {
    return this.#failedWrites + this.#failedOperations > 0;
  }

  #passOn(): void {
    this.#trying = undefined;
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
