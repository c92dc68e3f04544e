import type { ClientOptions, ResponseInfo } from "../../api/calls/caller.js";
import { NO_RETRIES } from "../../api/calls/policy.js";
import { createSendingClient, type VersionedClient } from "../../api/sending-client.js";
import type { Clock } from "../clock.js";
import { apiTransport } from "./api-transport.js";
import { type DeliveryLog, deliveryLogOf } from "./delivery-log.js";
import type { Transport } from "./transport.js";
import { realpath } from "node:fs/promises";
import { otherProjectsService } from "../../project/environment.js";
import type { ConfigurationError } from "../../errors.js";

export interface ConnectionOptions {
  /** The service's base URL. */
  readonly url: string;
  /** Empty if there is none: then nothing can be looked up in the delivery log. */
  readonly apiKey: string;
  readonly allowInsecure?: boolean | undefined;
  readonly version: "v4" | "v3";
  readonly domain: string;
  /** The environment's name, for hints. */
  readonly environment?: string | undefined;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Sends by SMTP. Default: through the API. */
  readonly smtp?: Transport | undefined;
}

/** The service, as far as delivering needs it. */
export interface Connection {
  readonly time: ServiceTime;
  readonly transport: Transport;
  /** Read at the pace that the service allows. Undefined if there is none. */
  readonly log: DeliveryLog | undefined;
  close(): Promise<void>;
}

export function connect({ smtp, ...options }: ConnectionOptions): Connection {
  const { url, apiKey, allowInsecure, version, domain, timeoutMs, clock } = options;
  const time = new ServiceTime(clock);
  const access = { apiKey, allowInsecure, timeoutMs, onResponse: time.observe };
  let reader: ServiceClient | undefined;
  /** Opened by the first lookup: most mailers never read the log. */
  const openLog = () => {
    reader ??= openService({ ...access, url, version, domain, clock, policy: NO_RETRIES });
    return deliveryLogOf({ ...reader, transport: smtp ? "smtp" : "api" });
  };
  const transport = smtp ?? apiTransport({ ...options, ...access, log: openLog });
  return {
    time,
    transport,
    get log() {
      return apiKey === "" ? undefined : openLog();
    },
    async close() {
      await Promise.all([transport.close(), reader?.client.close()]);
    },
  };
}

/** The service by a client of its version, and the sender's domain. */
export type ServiceClient = VersionedClient & Pick<ConnectionOptions, "url" | "domain">;

type ServiceOptions = Omit<ClientOptions, "baseUrl" | "version"> &
  Pick<ConnectionOptions, "url" | "domain" | "version">;

export function openService({ url, domain, version, ...options }: ServiceOptions): ServiceClient {
  const settings = { ...options, baseUrl: url };
  if (version === "v3") return { version, url, domain, client: createSendingClient({ ...settings, version }) };
  return { version, url, domain, client: createSendingClient({ ...settings, version }) };
}

/** Maximum difference between the clocks while no answer has shown it. */
const UNKNOWN_SLACK_MS = 10 * 60_000;
/** The service shows whole seconds, and an answer takes a while. */
const KNOWN_SLACK_MS = 5000;

/** A time span, in milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/** The difference between the service's clock and ours, from its answers. */
class ServiceTime {
  #offset: number | undefined;

  constructor(private readonly clock: Clock) {}

  readonly observe = ({ serviceTime }: ResponseInfo): void => {
    if (serviceTime !== undefined) this.#offset = serviceTime.getTime() - this.clock.time();
  };

  /** One of our time spans on the service's clock, with a margin: either clock may have been adjusted meanwhile. */
  toService({ from, until }: TimeSpan): TimeSpan {
    const offset = this.#offset ?? 0;
    const slack = this.#offset === undefined ? UNKNOWN_SLACK_MS : KNOWN_SLACK_MS;
    return { from: from + Math.min(0, offset) - slack, until: until + Math.max(0, offset) + slack };
  }
}

/**
 * How long an answer is valid: nobody stops one project's service, starts another's and sends a message faster than
 * this.
 */
const TRUSTED_MS = 10_000;
/** The service is on this machine. */
const TIMEOUT_MS = 2_000;

/**
 * Returns why nothing may be sent to the local service that was found at a URL: it belongs to another project.
 * Undefined if it belongs to this project, or to none.
 *
 * @param searchedFrom The folder where discovery started.
 * @throws No local service answers there.
 */
export async function refusalOfOtherProject(
  url: string,
  searchedFrom: string,
): Promise<ConfigurationError | undefined> {
  const { isShared, findOtherOwner } = await import("../../project/local-owner.js");
  const folder = await realpath(searchedFrom).catch(() => searchedFrom);
  const owner = await findOtherOwner(url, folder, AbortSignal.timeout(TIMEOUT_MS));
  if (owner === undefined || isShared(folder, owner)) return undefined;
  return otherProjectsService(url, folder, owner);
}

/**
 * Returns a check that a local service which was found belongs to this project: before the first message, and again if
 * the last check is more than ten seconds old. A service whose URL was configured is not checked.
 *
 * @param searchedFrom As in `Environment`.
 */
export function ownServiceCheck(url: string, searchedFrom: string | undefined, clock: Clock): () => Promise<void> {
  let trustedUntil = Number.NEGATIVE_INFINITY;
  return async () => {
    if (searchedFrom === undefined || clock.now() < trustedUntil) return;
    // If nothing answers, the request itself gives a better error.
    const refusal = await refusalOfOtherProject(url, searchedFrom).catch(() => "no answer" as const);
    if (refusal === "no answer") return;
    if (refusal !== undefined) throw refusal;
    trustedUntil = clock.now() + TRUSTED_MS;
  };
}
