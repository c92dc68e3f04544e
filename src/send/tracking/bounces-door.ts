import type { Bounce, BouncesOptions } from "./bounces.js";
import type { Tracking } from "./tracking.js";

/** New bounces since the call, even though the code that finds them is only loaded when iteration starts. */
export function bouncesOf(open: () => Promise<Tracking>, options: BouncesOptions = {}): AsyncIterable<Bounce> {
  const calledAt = performance.now();
  return {
    async *[Symbol.asyncIterator]() {
      yield* (await open()).bounces(options, calledAt);
    },
  };
}
