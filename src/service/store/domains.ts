import { z } from "zod";
import type { DomainOrder } from "../../api/contract/v4/domains.js";
import { Conditions } from "./conditions.js";
import type { Database } from "./driver.js";

const flag = z.int().transform(Boolean);

const row = z.object({
  id: z.int(),
  /** Lower case. */
  name: z.string(),
  forwardingReady: flag,
  sendReady: flag,
  banned: flag,
  notificationEmail: z.string().nullable(),
  notifyWhenSpamBlocked: flag,
  routingEngine: z.enum(["alias", "rules"]).nullable(),
  rulesFallbackEmail: z.string().nullable(),
  strictMxes: flag,
  whitelabel: z.string().nullable(),
  createdAt: z.int(),
  updatedAt: z.int(),
});

export type DomainRecord = Readonly<z.infer<typeof row>>;

const COLUMNS = `id, name, forwarding_ready AS forwardingReady, send_ready AS sendReady, banned,
  notification_email AS notificationEmail, notify_when_spam_blocked AS notifyWhenSpamBlocked, routing_engine AS routingEngine,
  rules_fallback_email AS rulesFallbackEmail, strict_mxes AS strictMxes, whitelabel, created_at AS createdAt, updated_at AS updatedAt`;

/** Which domains to list. Null asks for those that have none; an absent member does not filter. */
export interface DomainFilter {
  /** A part of the name, in any case. */
  readonly query?: string | undefined;
  readonly forwardingReady?: boolean | undefined;
  readonly sendReady?: boolean | undefined;
  readonly whitelabel?: string | null | undefined;
  readonly routingEngine?: "alias" | "rules" | null | undefined;
}

export interface DomainPage {
  readonly order: DomainOrder;
  readonly limit: number;
  readonly offset: number;
}

const orders: Readonly<Record<DomainOrder, string>> = {
  name_asc: "name ASC",
  name_desc: "name DESC",
  created_asc: "created_at ASC, id ASC",
  created_desc: "created_at DESC, id DESC",
};

export class DomainStore {
  readonly #database;
  readonly #find;
  readonly #insert;

  constructor(database: Database) {
    this.#database = database;
    this.#find = database.prepare(`SELECT ${COLUMNS} FROM domains WHERE account_id = ? AND name = ?`);
    this.#insert = database.prepare(`
      INSERT INTO domains (account_id, name, forwarding_ready, send_ready, banned, notify_when_spam_blocked, strict_mxes,
        created_at, updated_at)
      VALUES (?, ?, ?, ?, 0, 0, 0, ?, ?) ON CONFLICT (name) DO NOTHING`);
  }

  /** The account's domain of this name, in any case. */
  find(accountId: number, name: string): DomainRecord | undefined {
    const columns = this.#find.get(accountId, name.toLowerCase());
    return columns && row.parse(columns);
  }

  list(
    accountId: number,
    filter: DomainFilter,
    page: DomainPage,
  ): { readonly domains: DomainRecord[]; readonly total: number } {
    const where = new Conditions()
      .add("account_id = ?", accountId)
      .addGiven("instr(name, ?) > 0", filter.query?.toLowerCase())
      .addGiven("forwarding_ready = ?", asInteger(filter.forwardingReady))
      .addGiven("send_ready = ?", asInteger(filter.sendReady))
      .addGiven("whitelabel IS ?", filter.whitelabel)
      .addGiven("routing_engine IS ?", filter.routingEngine);
    const total = this.#database
      .prepare(`SELECT count(*) AS total FROM domains WHERE ${where.sql}`)
      .get(...where.parameters);
    const domains = this.#database
      .prepare(`SELECT ${COLUMNS} FROM domains WHERE ${where.sql} ORDER BY ${orders[page.order]} LIMIT ? OFFSET ?`)
      .all(...where.parameters, page.limit, page.offset);
    return { domains: domains.map((columns) => row.parse(columns)), total: Number(total?.["total"]) };
  }

  /** Adds a domain, unless there is one of this name; `ready` is what its DNS is set up for. */
  create(
    accountId: number,
    name: string,
    ready: { readonly forwarding: boolean; readonly sending: boolean },
    now: number,
  ): void {
    this.#insert.run(accountId, name.toLowerCase(), Number(ready.forwarding), Number(ready.sending), now, now);
  }
}

function asInteger(flagged: boolean | undefined): number | undefined {
  return flagged === undefined ? undefined : Number(flagged);
}
