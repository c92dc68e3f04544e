import type { Clock } from "./clock.js";
import { EndpointPace, type Turn, type TurnOptions } from "./endpoint-pace.js";
import { REQUESTS_PER_MINUTE, SENDS_PER_MINUTE } from "../limits.js";

/** Spaces calls by what the service's answers say about each endpoint's limit. */
export interface Pacer {
  /** A turn to make one request; at once, without a promise, where nothing has to be waited for. */
  turn(endpoint: Endpoint, options: TurnOptions): Turn | Promise<Turn>;
  /** Fails everyone who waits. */
  close(): void;
}

export interface Endpoint {
  readonly method: string;
  /** With its parameters' names. */
  readonly path: string;
  /** Whether it is the one that sends mail, which has a limit of its own. */
  readonly sends: boolean;
}

/** Why a wait for a turn ended without one. */
export const CLOSED = new Error("the client is closed");

export function createPacer(clock: Clock): Pacer {
  const paces = new Map<string, EndpointPace>();
  return {
    turn({ method, path, sends }, options) {
      const name = `${method} ${path}`;
      let pace = paces.get(name);
      if (pace === undefined) {
        // What a parameter is called makes no other endpoint of it.
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
