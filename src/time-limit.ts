/**
 * A signal that aborts with a `TimeoutError` after a time in ms, or earlier with another signal. Node 20 may collect
 * the signal of `AbortSignal.timeout` as garbage while only `AbortSignal.any` uses it. It then never aborts.
 */
export function timeLimit(milliseconds: number, signal: AbortSignal): AbortSignal {
  const late = AbortSignal.timeout(milliseconds);
  // Node keeps signals with listeners.
  late.addEventListener("abort", () => {});
  return AbortSignal.any([signal, late]);
}
