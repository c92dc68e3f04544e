// @ts-check
import { performance } from "node:perf_hooks";

const CALLS = 400;
/** Concurrent calls. */
const AT_ONCE = 16;

/**
 * The microseconds per call, over many concurrent calls.
 *
 * @param {() => Promise<unknown>} call
 */
export async function timeOf(call) {
  let left = CALLS;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left > 0) {
        left -= 1;
        await call();
      }
    }),
  );
  return ((performance.now() - start) / CALLS) * 1000;
}
