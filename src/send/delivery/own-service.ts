import { realpath } from "node:fs/promises";
import { otherProjectsService } from "../../project/environment.js";
import type { ConfigurationError } from "../../errors.js";
import type { Clock } from "../clock.js";

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
