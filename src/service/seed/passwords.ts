import { hashPassword, matchesPassword } from "../credentials/password.js";
import type { Store } from "../store/store.js";
import type { ReadAccount } from "./schema.js";

/** A seed's password: hashed for a new credential, or compared with an existing one. */
export interface HashedPassword {
  /** Hash for a new credential. */
  readonly hash?: string;
  /** Whether the existing credential has another password. */
  readonly differs: boolean;
}

/** By domain and user name. */
export type HashedPasswords = ReadonlyMap<string, HashedPassword>;

export function credentialKey(domain: string, username: string): string {
  return `${username.toLowerCase()}@${domain}`;
}

/** Computes the slow hashes before the seed is added, so that adding it does not have to wait. */
export async function hashPasswords(accounts: readonly ReadAccount[], store: Store): Promise<HashedPasswords> {
  const credentials = accounts.flatMap(({ apiKey, domains }) =>
    domains.flatMap((domain) => domain.credentials.map((credential) => ({ apiKey, name: domain.name, ...credential }))),
  );
  const hashed = credentials.map(async ({ apiKey, name, username, password }) => {
    const account = store.accounts.findByKey(apiKey);
    const domain = account && store.domains.find(account.id, name);
    const existing = domain && store.credentials.find(domain.id, username);
    const result: HashedPassword = existing
      ? { differs: !(await matchesPassword(password, existing.passwordHash)) }
      : { hash: await hashPassword(password), differs: false };
    return [credentialKey(name, username), result] as const;
  });
  return new Map(await Promise.all(hashed));
}
