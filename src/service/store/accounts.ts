import { hash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { accountSchema } from "../../api/contract/v4/account.js";
import { LOCAL_WEBHOOK_SECRET } from "../../api/local.js";
import type { Database } from "../../sqlite/driver.js";
import { prepareNumber, prepareQuery } from "./statements.js";

/** An account as version 4 shows it, plus what only version 3 shows. */
export const profileSchema = accountSchema.extend({
  whitelabels: z.array(z.string()).default([]),
  card_brand: z.string().default(""),
  company_details: z.string().default(""),
  company_name: z.string().default(""),
  last4: z.string().default(""),
  /** Signs what is forwarded to webhooks; in the form of Standard Webhooks. */
  webhook_secret: z.string().default(LOCAL_WEBHOOK_SECRET),
});

export type AccountProfile = Readonly<z.infer<typeof profileSchema>>;

export interface AccountRecord {
  readonly id: number;
  /** Whether the plan includes premium features and their rate limit. */
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

export type AccountStore = ReturnType<typeof accountStore>;

/**
 * Accounts. There are few and every request needs one, so they are also cached in memory. No other process writes to
 * the database.
 */
export function accountStore(database: Database) {
  const insert = prepareNumber(
    database,
    "INSERT INTO accounts (api_key_sha256, paid, profile) VALUES (?, ?, ?) RETURNING id",
  );
  const sentSince = prepareNumber(
    database,
    "SELECT coalesce(sum(mails), 0) FROM account_sends WHERE account_id = ? AND day >= ?",
  );
  const countSent = database.prepare(`
    INSERT INTO account_sends (account_id, day, mails) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET mails = mails + excluded.mails`);
  const receivedSince = prepareNumber(
    database,
    "SELECT coalesce(sum(mails), 0) FROM account_receives WHERE account_id = ? AND day >= ?",
  );
  const countReceived = database.prepare(`
    INSERT INTO account_receives (account_id, day, mails) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET mails = mails + 1`);
  const ofDomain = prepareNumber(database, "SELECT account_id FROM domains WHERE id = ?");
  const all = prepareQuery(database, row, "SELECT id, paid, api_key_sha256 AS keyHash, profile FROM accounts").all();
  const byKeyHash = new Map<string, KeptAccount>(
    all.map(({ keyHash, ...account }) => [hex(keyHash), { keyHash, account }]),
  );

  const find = (id: number) => [...byKeyHash.values()].find(({ account }) => account.id === id)?.account;
  return {
    find,
    ofDomain: (domainId: number) => find(ofDomain(domainId)),
    /** Number of emails that the account's domains have received since the start of a day, in days since 1970. */
    receivedSince: (id: number, day: number) => receivedSince(id, day),
    countReceived(id: number, day: number): void {
      countReceived.run(id, day);
    },
    /**
     * The account with this key. Takes the same time however similar a wrong key is: the lookup uses a hash, and how far
     * two hashes agree says nothing about the keys.
     */
    findByKey(apiKey: string): AccountRecord | undefined {
      const received = sha256(apiKey);
      const kept = byKeyHash.get(hex(received));
      return kept && timingSafeEqual(kept.keyHash, received) ? kept.account : undefined;
    },
    create(apiKey: string, paid: boolean, profile: AccountProfile): AccountRecord {
      const keyHash = sha256(apiKey);
      const account = { id: insert(keyHash, Number(paid), JSON.stringify(profile)), paid, profile };
      byKeyHash.set(hex(keyHash), { keyHash, account });
      return account;
    },
    /** Number of emails the account has sent since the start of a day, in days since 1970. */
    sentSince: (id: number, day: number) => sentSince(id, day),
    countSent(id: number, day: number, mails: number): void {
      countSent.run(id, day, mails);
    },
  };
}

function sha256(apiKey: string): Buffer {
  return hash("sha256", apiKey, "buffer");
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
