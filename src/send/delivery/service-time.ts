import type { ResponseInfo } from "../../api/calls/hooks.js";
import type { Clock } from "../clock.js";

/** Maximum difference between the clocks while no answer has shown it. */
const UNKNOWN_SLACK_MS = 10 * 60_000;
/** The service shows whole seconds, and an answer takes a while. */
const KNOWN_SLACK_MS = 5000;

/** A time span, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** The difference between the service's clock and ours, from its answers. */
export class ServiceTime {
  #offset: number | undefined;

  constructor(private readonly clock: Clock) {}

  /** For `onResponse` of a client. */
  readonly observe = ({ serviceTime }: ResponseInfo): void => {
    if (serviceTime !== undefined) this.#offset = serviceTime.getTime() - this.clock.time();
  };

  /** One of our time spans on the service's clock, with a margin: either clock may have been adjusted meanwhile. */
  toService({ from, until }: Span): Span {
    const offset = this.#offset ?? 0;
    const slack = this.#offset === undefined ? UNKNOWN_SLACK_MS : KNOWN_SLACK_MS;
    return { from: from + Math.min(0, offset) - slack, until: until + Math.max(0, offset) + slack };
  }
}
