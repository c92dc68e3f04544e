import { RejectedError } from "../errors.js";
import type { Attempt, Connection } from "./connection.js";
import type { Parcel } from "./parcel.js";

/**
 * A connection whose refusals say what to do about a template that is not on the service.
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
  // What variables alone describe has no name that a flag takes.
  const flag = environment === undefined || environment === "custom" ? "" : ` --env ${environment}`;
  const hint = `The template "${template}" is not on the service. Run: templates sync${flag}`;
  return { ...attempt, error: new RejectedError(status, serviceMessage, fieldErrors, { cause, hint }) };
}

/** The other thing that a 404 may be about: a domain that is not in the account. */
function isAboutDomain(serviceMessage: string): boolean {
  return /domain/i.test(serviceMessage) && !/template/i.test(serviceMessage);
}
