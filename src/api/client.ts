import * as PATHS_V3 from "./contract/v3/paths.js";
import * as PATHS from "./contract/v4/paths.js";
import { ConfigurationError } from "../errors.js";
import type { ApiVersion } from "./calls/base-url.js";
import { createCaller } from "./calls/caller.js";
import { type ClientV3, clientV3 } from "./client-v3.js";
import { type Client, clientV4 } from "./client-v4.js";
import type { Clock } from "./calls/clock.js";
import type { Hooks } from "./calls/hooks.js";
import { undiciTransport } from "./calls/undici-transport.js";

export type { Client, ClientV3 };

export interface ClientOptions extends Hooks {
  /** The account's key. It travels in the Authorization header and is in no error, whatever a server quotes back. */
  readonly apiKey: string;
  /** The service's address without the version: `https://api.example.com`. */
  readonly baseUrl: string;
  /** Which version of the interface to speak; the client's type follows from it. Default `v4`. */
  readonly version?: ApiVersion;
  /**
   * Whether the key may travel unencrypted to another machine: `http://` is refused otherwise, but to this machine
   * (`localhost`, `*.localhost`, `127.0.0.0/8`, `::1`) and with the local service's key, `local`. Default false.
   */
  readonly allowInsecure?: boolean | undefined;
  /**
   * Milliseconds for each call: waiting for a connection, all its tries and the waits between them. The time before
   * `pacing` lets it go does not count. For lists and batches, each request has as much. Default 30,000.
   */
  readonly timeoutMs?: number;
  /**
   * Tries after the first, as far as the time allows. Reads are tried again after a failed connection, 429 and 5xx;
   * what changes something only where it surely had no effect: nothing was sent, or it was refused with 429; sending
   * mail only where nothing was sent. Default 2.
   */
  readonly retries?: number;
  /**
   * Whether calls are spaced by what the answers' `X-RateLimit-*` headers say of each endpoint (part 8): they go at
   * once for as long as requests are left, then wait for the reset. Default true.
   */
  readonly pacing?: boolean;
  /** The time that calls are paced and tried again by. Default: the machine's. */
  readonly clock?: Clock;
}

/**
 * A typed client of the service. Connections are kept and shared; nothing is opened before the first call.
 *
 * Calls throw: ServiceError for what the service refused (status 400 and above), UnreachableError, TimeoutError and
 * AbortedError, which say whether the request may have reached the service, and ContractError for an answer that the
 * service's document does not have. Batches of more than 500 items also throw BatchError.
 *
 * @example
 * const client = createClient({ apiKey, baseUrl: "https://api.example.com" });
 * const { html_body } = await client.templates.get("example.com", "receipt");
 * for await (const entry of client.logs.list("example.com", { status: "HARD-BOUNCE" })) …
 * await client.close();
 *
 * @example
 * const earlier = createClient({ apiKey, baseUrl: "https://api.example.com", version: "v3" });
 * const { success, records } = await earlier.domains.check("example.com");
 *
 * @throws ConfigurationError for a base URL, key, time-out or number of tries that cannot be used.
 */
export function createClient(options: ClientOptions & { readonly version: "v3" }): ClientV3;
export function createClient(options: ClientOptions & { readonly version?: "v4" }): Client;
export function createClient(options: ClientOptions): Client | ClientV3;
export function createClient(options: ClientOptions): Client | ClientV3 {
  const { version = "v4" } = options;
  if (version !== "v4" && version !== "v3")
    throw new ConfigurationError(`The version is ${JSON.stringify(version)}; the client speaks "v4" and "v3".`);
  // Version 3 has the endpoints of version 4 as well.
  const paths: readonly string[] = Object.values(version === "v3" ? { ...PATHS, ...PATHS_V3 } : PATHS);
  const caller = createCaller({ ...options, version, paths }, undiciTransport);
  return version === "v3" ? clientV3(caller) : clientV4(caller);
}
