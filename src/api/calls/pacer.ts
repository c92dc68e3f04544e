import type { Clock } from "./clock.js";
import { EndpointPace, type Turn, type TurnOptions } from "./endpoint-pace.js";
import { REQUESTS_PER_MINUTE, SENDS_PER_MINUTE } from "../limits.js";

/** Paces calls according to each endpoint's limit in the service's answers. */
export interface Pacer {
  /** Returns a turn to make one request; directly, without a promise, if there is nothing to wait for. */
  turn(endpoint: Endpoint, options: TurnOptions): Turn | Promise<Turn>;
  /** Fails all waiting calls. */
  close(): void;
}

export interface Endpoint {
  readonly method: string;
  /** With its parameters' names. */
  readonly path: string;
  /** Whether it sends email, which has its own limit. */
  readonly sends: boolean;
}

/** The reason if a wait for a turn ended without one. */
export const CLOSED = new Error("the client is closed");

export function createPacer(clock: Clock): Pacer {
  const paces = new Map<string, EndpointPace>();
  return {
    turn({ method, path, sends }, options) {
      const name = `${method} ${path}`;
      let pace = paces.get(name);
      if (pace === undefined) {
        // A parameter's name does not make a different endpoint.
        const key = name.replace(/:\w+/g, ":");
        pace = paces.get(key) ?? new EndpointPace(clock, sends ? SENDS_PER_MINUTE : REQUESTS_PER_MINUTE.free);
        paces.set(key, pace).set(name, pace);
      }
      return pace.turn(options);
    },
    close() {
      for (const pace of paces.values()) pace.fail(CLOSED);
    },
  };
}

const freeTurn: Turn = { answered: () => undefined, lost: () => undefined, unused: () => undefined };

/** Lets everything through. */
export const noPacer: Pacer = { turn: () => freeTurn, close: () => undefined };
