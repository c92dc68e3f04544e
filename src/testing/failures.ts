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
import { checkNames } from "../send/option-names.js";
import { checkTemplate } from "./check-template.js";
import { checkValue } from "./check-value.js";
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
  readonly #templateNames: readonly string[];
  #coming: Failure[] = [];

  constructor(templateNames: readonly string[]) {
    this.#templateNames = templateNames;
  }

  /** @throws {ConfigurationError} There is no such failure, template or option. */
  add(failure: FailureCode | SendError, options: FailureOptions = {}): void {
    checkNames<FailureOptions>("failNext", options, { template: true, times: true });
    const { template, times = 1 } = options;
    checkTemplate("failNext", template, this.#templateNames);
    checkValue("failNext", "times", times, Number.isSafeInteger(times) && times > 0, "a whole number from 1");
    const isKnown = typeof failure === "string" ? Object.hasOwn(MAKE, failure) : failure instanceof Error;
    checkValue(
      "failNext",
      "failure",
      failure,
      isKnown,
      `an error of a send, or one of ${Object.keys(MAKE).join(", ")}`,
    );
    this.#coming.push({ template, make: typeof failure === "string" ? MAKE[failure] : () => failure, left: times });
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
