import type { CredentialRecord } from "../store/credentials.js";
import type { DomainRecord } from "../store/domains.js";
import type { Store } from "../store/store.js";
import { matchesPassword } from "./password.js";

/**
 * Whether a domain may send by SMTP: it may not after its first credential was added until DKIM and DMARC were found
 * (part 3).
 */
export function maySubmit(domain: DomainRecord): boolean {
  return !domain.smtpBlocked && !domain.banned;
}

/**
 * The credential for a user name and password. Undefined if they are wrong. Unknown names take as long as wrong
 * passwords.
 *
 * @example
 * const credential = await logIn(store, domain, "newsletter", "secret");
 * if (credential && maySubmit(domain)) …
 */
export async function logIn(
  store: Store,
  domain: DomainRecord | undefined,
  username: string,
  password: string,
): Promise<CredentialRecord | undefined> {
  const credential = domain && store.credentials.find(domain.id, username);
  return (await matchesPassword(password, credential?.passwordHash)) ? credential : undefined;
}
