import {
  ExpiredError,
  RateLimitedError,
  RejectedError,
  SendAbortedError,
  type SendError,
  type SendErrorCode,
  SendUnreachableError,
  StoreError,
  UnknownOutcomeError,
} from "../send/errors.js";
import { checkNames } from "../send/check-options.js";
import { checkTemplate, checkValue } from "./check-value.js";

/** The `code` of an error of a send. */
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

export class FailureQueue {
  readonly #templateNames: readonly string[];
  #coming: Failure[] = [];

  constructor(templateNames: readonly string[]) {
    this.#templateNames = templateNames;
  }

  /** @throws {ConfigurationError} The failure, template or option does not exist. */
  add(failure: FailureCode | SendError, options: FailureOptions = {}): void {
    checkNames<FailureOptions>("failNext", options, { template: true, times: true });
    const { template, times = 1 } = options;
    checkTemplate("failNext", template, this.#templateNames);
    checkValue("failNext", "times", times, Number.isSafeInteger(times) && times > 0, "a whole number, 1 or more");
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

const cause = new Error("Simulated by a test.");

const MAKE: Readonly<Record<FailureCode, () => SendError>> = {
  rejected: () => new RejectedError(422, "Refused, simulated by a test.", {}, { cause }),
  rate_limited: () => new RateLimitedError(60_000, { cause }),
  expired: () => new ExpiredError(),
  unknown_outcome: () => new UnknownOutcomeError("simulated by a test", { cause }),
  unreachable: () => new SendUnreachableError("http://unreachable.test", { cause }),
  aborted: () => new SendAbortedError({ cause }),
  store: () => new StoreError("Can't use the mailer's store: simulated by a test.", { cause }),
};
