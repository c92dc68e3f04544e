import type { ResponseInfo } from "../../api/calls/hooks.js";
import type { Clock } from "../clock.js";

/** How far the clocks may be apart where no answer has told. */
const UNTOLD_MS = 10 * 60_000;
/** The service shows whole seconds, and an answer takes a while. */
const TOLD_MS = 5000;

/** From when to when, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** How the service's clock goes beside ours, as its answers tell. */
export class ServiceTime {
  #offset: number | undefined;

  constructor(private readonly clock: Clock) {}

  /** For `onResponse` of a client. */
  readonly observe = ({ serviceTime }: ResponseInfo): void => {
    if (serviceTime !== undefined) this.#offset = serviceTime.getTime() - this.clock.time();
  };

  /** What the service may have called a span of ours, generously: either clock may have been set meanwhile. */
  toService({ from, until }: Span): Span {
    const offset = this.#offset ?? 0;
    const slack = this.#offset === undefined ? UNTOLD_MS : TOLD_MS;
    return { from: from + Math.min(0, offset) - slack, until: until + Math.max(0, offset) + slack };
  }
}
