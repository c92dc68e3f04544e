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
export function mustBeAwaited<Value>(
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
