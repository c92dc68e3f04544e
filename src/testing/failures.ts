import {
  ExpiredError,
  RateLimitedError,
  RejectedError,
  SendAbortedError,
  type SendError,
  type SendErrorCode,
  SendUnreachableError,
  UnknownOutcomeError,
} from "../send/errors.js";
import { StoreError } from "../send/store/store-error.js";

/** The `code` of what a send throws. */
export type FailureCode = Exclude<SendErrorCode, "invalid_message" | "invalid_variables" | "in_doubt">;

export interface FailureOptions {
  /** Only sends of this template. Default: any. */
  readonly template?: string;
  /** Default 1. */
  readonly times?: number;
}

interface Failure {
  readonly template: string | undefined;
  readonly make: () => SendError;
  left: number;
}

/** What is to go wrong with the next sends. */
export class Failures {
  #coming: Failure[] = [];

  add(failure: FailureCode | SendError, { template, times = 1 }: FailureOptions = {}): void {
    const make = typeof failure === "string" ? MAKE[failure] : () => failure;
    if (make === undefined)
      throw new TypeError(`"${String(failure)}" is no failure of a send. There are: ${Object.keys(MAKE).join(", ")}.`);
    this.#coming.push({ template, make, left: times });
  }

  /** What goes wrong with this send, if anything. */
  take(template: string | undefined): SendError | undefined {
    const failure = this.#coming.find((coming) => coming.template === undefined || coming.template === template);
    if (failure === undefined) return undefined;
    failure.left -= 1;
    if (failure.left === 0) this.#coming = this.#coming.filter((coming) => coming !== failure);
    return failure.make();
  }

  clear(): void {
    this.#coming = [];
  }
}

const cause = new Error("A test said so.");

const MAKE: Readonly<Record<FailureCode, () => SendError>> = {
  rejected: () => new RejectedError(422, "Refused, as the test said.", {}, { cause }),
  rate_limited: () => new RateLimitedError(60_000, { cause }),
  expired: () => new ExpiredError(),
  unknown_outcome: () => new UnknownOutcomeError("a test said so", { cause }),
  unreachable: () => new SendUnreachableError("http://unreachable.test", { cause }),
  aborted: () => new SendAbortedError({ cause }),
  store: () => new StoreError("The mailer's store cannot be used: a test said so.", { cause }),
};
