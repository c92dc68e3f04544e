import { setImmediate as turn } from "node:timers/promises";
import { inspect, types } from "node:util";
import { type Clock, type Duration, parseDuration, systemClock } from "../send/clock.js";
import { checkNames } from "../send/check-options.js";
import { checkValue } from "./check-value.js";

/** A mailer's clock under a test's control. */
export interface TestClock extends Clock {
  /**
   * Moves the time forward, timer by timer; code that waited for it has run when this resolves.
   *
   * A forgotten `await` is an error. Until the promise is awaited, reading what a recording mailer with this clock has
   * sent or queued throws, as do another `advance` and the mailer's `clear`, `restore` and `close`. Other calls may
   * come first, as in `const advancing = clock.advance("1h"); await mailer.waitFor(id, "DELIVERED"); await advancing;`.
   *
   * @example
   * await clock.advance("10m");
   *
   * @param time A duration such as `"90s"`, `"10m"`, `"2h"` or `"1d"`, or milliseconds.
   * @throws {RangeError} It is not a duration.
   * @throws {Error} The previous `advance` was not awaited.
   */
  advance(time: Duration): Promise<void>;
}

interface Timer {
  readonly due: number;
  readonly callback: () => void;
  readonly cancel: () => void;
}

/**
 * A clock for a mailer in a test.
 *
 * @example
 * const clock = createTestClock();
 * const mailer = createMailer({ templates, from: "shop", clock, ...service.mailerOptions });
 * const sending = mailer.send("receipt", { order }, { to: "ada@example.com", maxWait: 60_000 });
 * await clock.advance(60_000);
 *
 * @param options `at`: the clock stands still at that time, and only `advance` moves it. Default: it follows the
 * machine's time (and a test framework's fake `Date`), and `advance` moves it forward from there.
 */
export function createTestClock(options: { readonly at?: Date } = {}): TestClock {
  checkNames("createTestClock", options, { at: true });
  const { at } = options;
  const isValid = at === undefined || (types.isDate(at) && !Number.isNaN(at.getTime()));
  checkValue("createTestClock", "at", at, isValid, "a valid Date");
  const start = at?.getTime();
  let moved = 0;
  const timers = new Set<Timer>();

  const now = () => (start === undefined ? systemClock.now() : 0) + moved;

  function fire(timer: Timer): void {
    timer.cancel();
    if (timers.delete(timer)) timer.callback();
  }
  function nextUntil(end: number): Timer | undefined {
    return [...timers].filter(({ due }) => due <= end).toSorted((one, other) => one.due - other.due)[0];
  }
  const moveTo = (moment: number) => void (moved += Math.max(0, moment - now()));

  async function pass(time: Duration): Promise<void> {
    const milliseconds = typeof time === "number" ? time : parseDuration(time);
    if (!(milliseconds !== undefined && milliseconds >= 0))
      throw new RangeError(
        `clock.advance: time is ${inspect(time)}; it must be a duration such as "10m", or milliseconds.`,
      );
    const end = now() + milliseconds;
    await settled();
    for (let timer = nextUntil(end); timer !== undefined; timer = nextUntil(end)) {
      moveTo(timer.due);
      fire(timer);
      await settled();
    }
    moveTo(end);
  }

  function advance(time: Duration): Promise<void> {
    checkAwaited(clock);
    return mustBeAwaited(pass(time), { owner: clock, call: `clock.advance(${JSON.stringify(time)})`, callee: advance });
  }

  const clock: TestClock = {
    now,
    time: () => (start ?? systemClock.time()) + moved,
    after(milliseconds, callback) {
      const timer: Timer = {
        due: now() + milliseconds,
        callback,
        cancel: start === undefined ? systemClock.after(milliseconds, () => fire(timer)) : () => undefined,
      };
      timers.add(timer);
      return () => {
        timer.cancel();
        timers.delete(timer);
      };
    },
    advance,
  };
  return clock;
}

/** Waits until ready promises and their continuations have run. Never depends on a faked timer. */
async function settled(): Promise<void> {
  await turn();
  await turn();
}

/** A call whose promise has not been awaited yet. */
interface UnawaitedCall {
  /** What it belongs to: a clock. */
  readonly owner: object;
  /** Its stack leads to the call. */
  readonly error: Error;
  isReported: boolean;
}

const unawaited = new Set<UnawaitedCall>();
let onCall = (): void => undefined;

/** Registers a callback for every call that must be awaited, so that a test runner can check at the test's end. */
export function whenCalled(callback: () => void): void {
  onCall = callback;
}

/** A promise that reports when it is awaited: `await` and `Promise.all` call its `then`. */
class WatchedPromise<Value> extends Promise<Value> {
  /** Promises returned by `then` are not watched. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #onAwait: () => void;

  constructor(promise: Promise<Value>, onAwait: () => void) {
    super((resolve) => resolve(promise));
    this.#onAwait = onAwait;
  }

  // oxlint-disable-next-line unicorn/no-thenable
  override then<Result = Value, Failure = never>(
    onFulfilled?: ((value: Value) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.#onAwait();
    return super.then(onFulfilled, onRejected);
  }
}

/**
 * Makes a forgotten `await` an error: until the promise is awaited, `checkAwaited(owner)` throws.
 *
 * @param call As it is written in a test, such as `clock.advance("10m")`.
 * @param callee The function that was called: the error's stack begins at its caller.
 */
function mustBeAwaited<Value>(
  promise: Promise<Value>,
  { owner, call, callee }: { readonly owner: object; readonly call: string; readonly callee: (time: never) => unknown },
): Promise<Value> {
  const error = new Error(`${call} was not awaited. Write: await ${call}`);
  Error.captureStackTrace(error, callee);
  const entry: UnawaitedCall = { owner, error, isReported: false };
  unawaited.add(entry);
  onCall();
  return new WatchedPromise(promise, () => unawaited.delete(entry));
}

/** @throws {Error} A call has not been awaited yet. */
export function checkAwaited(owner: object): void {
  for (const call of unawaited) {
    if (call.owner !== owner) continue;
    call.isReported = true;
    throw call.error;
  }
}

/**
 * For the end of a test: forgets the calls that were never awaited, so that the next test starts without them.
 *
 * @param owner Default: any.
 * @throws {Error} One of them has not been reported yet.
 */
export function endUnawaited(owner?: object): void {
  const ended = [...unawaited].filter((call) => owner === undefined || call.owner === owner);
  for (const call of ended) unawaited.delete(call);
  const unreported = ended.find(({ isReported }) => !isReported);
  if (unreported !== undefined) throw unreported.error;
}
