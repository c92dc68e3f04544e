import { credentialChangesSchema, newCredentialSchema } from "../../api/contract/v4/credentials.js";
import { invalidFields } from "../http/api-error.js";
import { isLocalPart } from "../outbound/address.js";
import { check, Problems } from "../http/validate.js";

const PASSWORD_MAX_BYTES = 1_024;

/** @throws ApiError (400) with every problem of the body. */
export function readNewCredential(body: Record<string, unknown>): { username: string; password: string } {
  const problems = new Problems();
  const fields = check(newCredentialSchema, body, problems);
  if (fields && !isLocalPart(fields.username)) {
    problems.add("username", "username must be the local part of an address, without the domain");
  }
  if (fields) checkPassword(fields.password, problems);
  if (!fields || problems.found) throw invalidFields(problems.errors);
  return fields;
}

/** @throws ApiError (400) if the body has no valid password. */
export function readNewPassword(body: Record<string, unknown>): string {
  const problems = new Problems();
  const fields = check(credentialChangesSchema, body, problems);
  if (fields) checkPassword(fields.password, problems);
  if (!fields || problems.found) throw invalidFields(problems.errors);
  return fields.password;
}

function checkPassword(password: string, problems: Problems): void {
  if (password === "") problems.add("password", "password must not be empty");
  else if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) {
    problems.add("password", `password may have at most ${PASSWORD_MAX_BYTES} bytes`);
  } else if (/[\0\p{Surrogate}]/u.test(password)) {
    // SMTP sends the password as UTF-8 and ends it with NUL, so such a password could not be used.
    problems.add("password", "password has invalid characters");
  }
}
