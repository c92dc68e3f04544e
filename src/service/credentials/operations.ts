import { badRequest, invalidFields, notFound } from "../http/api-error.js";
import type { ServiceContext } from "../context.js";
import type { CredentialRecord } from "../store/credentials.js";
import type { DomainRecord } from "../store/domains.js";
import { readNewCredential, readNewPassword } from "./fields.js";
import { hashPassword } from "./password.js";

/** Maximum number of credentials per domain, which version 3 reports as `limits`. */
export const CREDENTIALS_PER_DOMAIN = 100;

/** A new credential. After a domain's first one, sending by SMTP is blocked until its DNS has been checked (part 3). */
export interface AddedCredential {
  readonly credential: CredentialRecord;
  readonly isFirst: boolean;
}

/** @throws ApiError (400) for an invalid body, a user name that is taken, or too many credentials. */
export async function addCredential(
  { store, clock }: ServiceContext,
  domain: DomainRecord,
  body: Record<string, unknown>,
): Promise<AddedCredential> {
  const { username, password } = readNewCredential(body);
  const hash = await hashPassword(password);
  return store.transaction(() => {
    const before = store.credentials.count(domain.id);
    const credential = store.credentials.create(domain.id, username, hash, clock.now());
    if (!credential) throw invalidFields({ username: ["username is already taken by another credential"] });
    if (before >= CREDENTIALS_PER_DOMAIN) {
      throw badRequest(`A domain can have at most ${CREDENTIALS_PER_DOMAIN} credentials.`);
    }
    const isFirst = before === 0;
    if (isFirst) store.domains.setSmtpBlocked(domain.id, true);
    return { credential, isFirst };
  });
}

/** @throws ApiError: 400 for an invalid body, 404 if there is no such credential. */
export async function changePassword(
  { store }: ServiceContext,
  domain: DomainRecord,
  username: string,
  body: Record<string, unknown>,
): Promise<CredentialRecord> {
  const password = readNewPassword(body);
  const credential = findCredential(store, domain, username);
  store.credentials.setPassword(credential.id, await hashPassword(password));
  return findCredential(store, domain, username);
}

/** @throws ApiError (404) if there is no such credential. */
export function deleteCredential({ store }: ServiceContext, domain: DomainRecord, username: string): void {
  store.credentials.delete(findCredential(store, domain, username).id);
}

function findCredential(store: ServiceContext["store"], domain: DomainRecord, username: string): CredentialRecord {
  const credential = store.credentials.find(domain.id, username);
  if (!credential) throw notFound("There is no credential with this user name on the domain.");
  return credential;
}
