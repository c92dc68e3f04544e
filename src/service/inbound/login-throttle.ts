import type { ServiceClock } from "../clock.js";
import { RateLimiter } from "../rate-limiter.js";

/** Maximum numbers of wrong passwords in a minute. */
const PER_USER = 10;
const PER_CLIENT = 50;

/** Who tries to log in. */
export interface LoginTry {
  readonly username: string;
  /** The client's IP address. */
  readonly client: string;
}

/**
 * Limits wrong passwords, for one user name from any client, and from one client for any user name. A restart forgets
 * them, which allows one more minute's tries.
 */
export class LoginThrottle {
  readonly #users;
  readonly #clients;

  constructor(clock: ServiceClock) {
    this.#users = new RateLimiter(clock);
    this.#clients = new RateLimiter(clock);
  }

  /** Seconds until the next try is allowed. Undefined if it is now. */
  retryAfter({ username, client }: LoginTry): number | undefined {
    const ofUser = this.#users.retryAfter(username.toLowerCase(), PER_USER);
    return ofUser ?? this.#clients.retryAfter(client, PER_CLIENT);
  }

  countWrong({ username, client }: LoginTry): void {
    this.#users.take(username.toLowerCase(), PER_USER);
    this.#clients.take(client, PER_CLIENT);
  }
}
