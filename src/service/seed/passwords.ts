import { hashPassword, matchesPassword } from "../credentials/password.js";
import type { Store } from "../store/store.js";
import type { ReadAccount } from "./schema.js";

/** What is to become of a seed's password: hashed for a credential that is not there, else compared. */
export interface HashedPassword {
  /** For the one that is to be added. */
  readonly hash?: string;
  /** Whether the one that is there has another. */
  readonly differs: boolean;
}

/** By domain and user name. */
export type HashedPasswords = ReadonlyMap<string, HashedPassword>;

export function credentialKey(domain: string, username: string): string {
  return `${username.toLowerCase()}@${domain}`;
}

/** Does what takes its time before anything is planted, which is to happen at once. */
export async function hashPasswords(accounts: readonly ReadAccount[], store: Store): Promise<HashedPasswords> {
  const credentials = accounts.flatMap(({ apiKey, domains }) =>
    domains.flatMap((domain) => domain.credentials.map((credential) => ({ apiKey, name: domain.name, ...credential }))),
  );
  const hashed = credentials.map(async ({ apiKey, name, username, password }) => {
    const account = store.accounts.findByKey(apiKey);
    const domain = account && store.domains.find(account.id, name);
    const found = domain && store.credentials.find(domain.id, username);
    const result: HashedPassword = found
      ? { differs: !(await matchesPassword(password, found.passwordHash)) }
      : { hash: await hashPassword(password), differs: false };
    return [credentialKey(name, username), result] as const;
  });
  return new Map(await Promise.all(hashed));
}
