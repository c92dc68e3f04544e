import { realpath } from "node:fs/promises";
import { otherProjectsService } from "../../config/environment-errors.js";
import type { ConfigurationError } from "../../errors.js";
import type { Clock } from "../clock.js";
import type { Connection } from "./connection.js";

/** How long an answer holds: in that time nobody stops one project's service, starts another's and sends a message. */
const TRUSTED_MS = 10_000;
/** The service is on this machine. */
const TIMEOUT_MS = 2_000;

/**
 * Why nothing may be sent to the local service that was found at a URL: it is for another project. Undefined where it is for
 * this project, or for none.
 *
 * @param searchedFrom The folder from which it was found.
 * @throws No local service answers there.
 */
export async function refusalOfOtherProject(
  url: string,
  searchedFrom: string,
): Promise<ConfigurationError | undefined> {
  const { isShared, otherOwner } = await import("../../config/local-owner.js");
  const folder = await realpath(searchedFrom).catch(() => searchedFrom);
  const owner = await otherOwner(url, folder, AbortSignal.timeout(TIMEOUT_MS));
  if (owner === undefined || isShared(folder, owner)) return undefined;
  return otherProjectsService(url, folder, owner);
}

export interface FoundService {
  readonly url: string;
  /** As in `Environment`. */
  readonly searchedFrom?: string | undefined;
  readonly clock: Clock;
}

/**
 * A connection that sends nothing to another project's local service: it asks whose the service is before the first message,
 * and again for a message that comes later than ten seconds after the last answer. A service whose URL was given is not asked.
 */
export function toOwnService(connection: Connection, { url, searchedFrom, clock }: FoundService): Connection {
  if (searchedFrom === undefined) return connection;
  let trustedUntil = Number.NEGATIVE_INFINITY;
  return {
    ...connection,
    async send(email, options) {
      if (clock.now() >= trustedUntil) {
        let refusal: ConfigurationError | undefined;
        try {
          refusal = await refusalOfOtherProject(url, searchedFrom);
          if (refusal === undefined) trustedUntil = clock.now() + TRUSTED_MS;
        } catch {
          // What is wrong there, the request itself says better.
        }
        if (refusal !== undefined) throw refusal;
      }
      return connection.send(email, options);
    },
  };
}
