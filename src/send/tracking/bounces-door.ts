import type { Bounce, BouncesOptions } from "./bounces.js";
import type { Tracking } from "./tracking.js";

/** New bounces from the call on, also where what finds them is loaded only when they are asked for. */
export function bouncesOf(open: () => Promise<Tracking>, options: BouncesOptions = {}): AsyncIterable<Bounce> {
  const calledAt = performance.now();
  return {
    async *[Symbol.asyncIterator]() {
      yield* (await open()).bounces(options, calledAt);
    },
  };
}
