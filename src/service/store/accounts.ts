import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { type Account, accountSchema } from "../../api/contract/v4/account.js";
import type { Database } from "./driver.js";

export interface AccountRecord {
  readonly id: number;
  /** Whether the plan includes the premium features and their rate limit. */
  readonly paid: boolean;
}

const row = z.object({
  id: z.int(),
  paid: z.int().transform(Boolean),
  keyHash: z.instanceof(Uint8Array),
});

export class AccountStore {
  readonly #all;
  readonly #profile;
  readonly #insert;

  constructor(database: Database) {
    this.#all = database.prepare("SELECT id, paid, api_key_sha256 AS keyHash FROM accounts");
    this.#profile = database.prepare("SELECT profile FROM accounts WHERE id = ?");
    this.#insert = database.prepare(
      "INSERT INTO accounts (api_key_sha256, paid, profile) VALUES (?, ?, ?) RETURNING id",
    );
  }

  /** The account whose key this is. Takes as long for a key that is nearly right as for one that is not. */
  findByKey(apiKey: string): AccountRecord | undefined {
    const given = sha256(apiKey);
    const accounts = this.#all.all().map((columns) => row.parse(columns));
    return accounts.filter(({ keyHash }) => timingSafeEqual(keyHash, given)).at(0);
  }

  /** What the account says about itself, as version 4 shows it. */
  profile(id: number): Account {
    return accountSchema.parse(JSON.parse(String(this.#profile.get(id)?.["profile"])));
  }

  /** Adds an account and returns its number. */
  create(apiKey: string, paid: boolean, profile: Account): number {
    return Number(this.#insert.get(sha256(apiKey), Number(paid), JSON.stringify(profile))?.["id"]);
  }
}

function sha256(apiKey: string): Buffer {
  return createHash("sha256").update(apiKey).digest();
}
