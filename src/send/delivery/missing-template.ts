import { RejectedError } from "../errors.js";
import type { Attempt, Connection } from "./connection.js";
import type { Parcel } from "./parcel.js";

/**
 * Wraps a connection so that refusals explain how to upload a missing template.
 *
 * @param environment Its name, for the command.
 */
export function withSyncHint(connection: Connection, environment: string | undefined): Connection {
  return {
    ...connection,
    send: async (email, options) => hinted(await connection.send(email, options), email, environment),
  };
}

function hinted(attempt: Attempt, { template }: Parcel["email"], environment: string | undefined): Attempt {
  if (attempt.outcome !== "rejected" || template === undefined) return attempt;
  const { status, serviceMessage, fieldErrors, cause } = attempt.error;
  if (status !== 404 || isAboutDomain(serviceMessage)) return attempt;
  // An environment that only variables describe has no name for `--env`.
  const flag = environment === undefined || environment === "custom" ? "" : ` --env ${environment}`;
  const hint = `The template "${template}" is not on the service. Run: templates sync${flag}`;
  return { ...attempt, error: new RejectedError(status, serviceMessage, fieldErrors, { cause, hint }) };
}

/** A 404 may also be about a domain that is not in the account. */
function isAboutDomain(serviceMessage: string): boolean {
  return /domain/i.test(serviceMessage) && !/template/i.test(serviceMessage);
}
