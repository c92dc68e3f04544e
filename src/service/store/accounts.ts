import { hash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { accountSchema } from "../../api/contract/v4/account.js";
import type { Database } from "../../sqlite/driver.js";

/** What an account is: as version 4 shows it, and what only version 3 shows. */
export const profileSchema = accountSchema.extend({
  whitelabels: z.array(z.string()).default([]),
  card_brand: z.string().default(""),
  company_details: z.string().default(""),
  company_name: z.string().default(""),
  last4: z.string().default(""),
});

export type AccountProfile = Readonly<z.infer<typeof profileSchema>>;

export interface AccountRecord {
  readonly id: number;
  /** Whether the plan includes the premium features and their rate limit. */
  readonly paid: boolean;
  readonly profile: AccountProfile;
}

const row = z.object({
  id: z.int(),
  paid: z.int().transform(Boolean),
  keyHash: z.instanceof(Uint8Array),
  profile: z.string().transform((text) => profileSchema.parse(JSON.parse(text))),
});

interface KeptAccount {
  readonly keyHash: Uint8Array;
  readonly account: AccountRecord;
}

/** The accounts: few, asked for by every request, and so kept in memory, too. Nobody else writes into the database. */
export class AccountStore {
  readonly #insert;
  readonly #sentSince;
  readonly #countSent;
  readonly #byKeyHash = new Map<string, KeptAccount>();

  constructor(database: Database) {
    this.#insert = database.prepare(
      "INSERT INTO accounts (api_key_sha256, paid, profile) VALUES (?, ?, ?) RETURNING id",
    );
    this.#sentSince = database.prepare(
      "SELECT coalesce(sum(mails), 0) AS mails FROM account_sends WHERE account_id = ? AND day >= ?",
    );
    this.#countSent = database.prepare(`
      INSERT INTO account_sends (account_id, day, mails) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET mails = mails + excluded.mails`);
    const rows = database.prepare("SELECT id, paid, api_key_sha256 AS keyHash, profile FROM accounts").all();
    for (const columns of rows) {
      const { keyHash, ...account } = row.parse(columns);
      this.#byKeyHash.set(hex(keyHash), { keyHash, account });
    }
  }

  /**
   * The account whose key this is. Takes as long for a key that is nearly right as for one that is not: what is looked
   * up is a hash, and how far the hash of a wrong key agrees with another says nothing about that one's key.
   */
  findByKey(apiKey: string): AccountRecord | undefined {
    const given = sha256(apiKey);
    const kept = this.#byKeyHash.get(hex(given));
    return kept && timingSafeEqual(kept.keyHash, given) ? kept.account : undefined;
  }

  /** Adds an account and returns it. */
  create(apiKey: string, paid: boolean, profile: AccountProfile): AccountRecord {
    const keyHash = sha256(apiKey);
    const id = Number(this.#insert.get(keyHash, Number(paid), JSON.stringify(profile))?.["id"]);
    const account = { id, paid, profile };
    this.#byKeyHash.set(hex(keyHash), { keyHash, account });
    return account;
  }

  /** How many mails the account has sent since the beginning of a day, in days since 1970. */
  sentSince(id: number, day: number): number {
    return Number(this.#sentSince.get(id, day)?.["mails"]);
  }

  countSent(id: number, day: number, mails: number): void {
    this.#countSent.run(id, day, mails);
  }
}

function sha256(apiKey: string): Buffer {
  return hash("sha256", apiKey, "buffer");
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
