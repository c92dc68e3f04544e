import { realpath } from "node:fs/promises";
import { otherProjectsService } from "../../project/environment.js";
import type { ConfigurationError } from "../../errors.js";
import type { Clock } from "../clock.js";
import type { Connection } from "./connection.js";

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
  const { isShared, otherOwner } = await import("../../project/local-owner.js");
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
 * Wraps a connection so that it sends nothing to another project's local service: it checks which project the service
 * belongs to before the first message, and again if the last check is more than ten seconds old. A service whose URL
 * was configured is not checked.
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
          // The request itself gives a better error.
        }
        if (refusal !== undefined) throw refusal;
      }
      return connection.send(email, options);
    },
  };
}
