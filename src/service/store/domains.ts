import { domainToASCII } from "node:url";
import { z } from "zod";
import type { DomainOrder } from "../../api/contract/v4/domains.js";
import { Conditions, type OrderedPageRange, selectPage } from "./page.js";
import type { Database } from "../../sqlite/driver.js";
import { prepareNumber, prepareQuery } from "./statements.js";

const flag = z.int().transform(Boolean);

const row = z.object({
  id: z.int(),
  /** In lower case. */
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
  /** The URL to which events of its emails are posted. */
  webhook: z.string().nullable(),
  /** Whether sending by SMTP is blocked until DKIM and DMARC are found. */
  smtpBlocked: flag,
  createdAt: z.int(),
  updatedAt: z.int(),
});

export type DomainRecord = Readonly<z.infer<typeof row>>;

const COLUMNS = `id, name, forwarding_ready AS forwardingReady, send_ready AS sendReady, banned,
  notification_email AS notificationEmail, notify_when_spam_blocked AS notifyWhenSpamBlocked, routing_engine AS routingEngine,
  rules_fallback_email AS rulesFallbackEmail, strict_mxes AS strictMxes, whitelabel, webhook, smtp_blocked AS smtpBlocked, created_at AS createdAt, updated_at AS updatedAt`;

/** Which domains to list. Null selects domains without a value. Members that are left out do not filter. */
export interface DomainSelection {
  /** A substring of the name, case-insensitive. */
  readonly query?: string | undefined;
  readonly forwardingReady?: boolean | undefined;
  readonly sendReady?: boolean | undefined;
  readonly whitelabel?: string | null | undefined;
  readonly routingEngine?: "alias" | "rules" | null | undefined;
}

const orders: Readonly<Record<DomainOrder, string>> = {
  name_asc: "name ASC",
  name_desc: "name DESC",
  created_asc: "created_at ASC, id ASC",
  created_desc: "created_at DESC, id DESC",
};

/** Changes to a domain. Members that are left out stay unchanged. */
export interface DomainSettings {
  readonly notificationEmail?: string | null | undefined;
  readonly whitelabel?: string | null | undefined;
  readonly webhook?: string | null | undefined;
}

/** Properties of a domain that the API shows but cannot change. */
export interface DomainTraits {
  readonly banned?: boolean | undefined;
  readonly notifyWhenSpamBlocked?: boolean | undefined;
  readonly routingEngine?: "alias" | "rules" | null | undefined;
  readonly rulesFallbackEmail?: string | undefined;
  readonly strictMxes?: boolean | undefined;
}

/** What a domain's DNS is set up for. */
export interface Readiness {
  readonly forwarding: boolean;
  readonly sending: boolean;
}

export function domainStore(database: Database) {
  const find = prepareQuery(database, row, `SELECT ${COLUMNS} FROM domains WHERE account_id = ? AND name = ?`);
  const names = database.prepare("SELECT name FROM domains ORDER BY name LIMIT ?");
  const accountOf = database.prepare("SELECT account_id AS id FROM domains WHERE name = ?");
  const insert = prepareQuery(
    database,
    row,
    `INSERT INTO domains (account_id, name, forwarding_ready, send_ready, banned, notification_email,
      notify_when_spam_blocked, routing_engine, rules_fallback_email, strict_mxes, whitelabel, webhook, created_at,
      updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING RETURNING ${COLUMNS}`,
  );
  const count = prepareNumber(database, "SELECT count(*) FROM domains WHERE account_id = ?");
  const whitelabels = database.prepare(
    "SELECT DISTINCT whitelabel FROM domains WHERE account_id = ? AND whitelabel IS NOT NULL",
  );
  const update = database.prepare(`
    UPDATE domains SET notification_email = ?, whitelabel = ?, webhook = ?, updated_at = ? WHERE id = ?
    RETURNING ${COLUMNS}`);
  const setReadiness = database.prepare("UPDATE domains SET forwarding_ready = ?, send_ready = ? WHERE id = ?");
  const setSmtpBlocked = database.prepare("UPDATE domains SET smtp_blocked = ? WHERE id = ?");
  const remove = database.prepare("DELETE FROM domains WHERE id = ?");
  /** Cache of domains by account and name, until any domain is written, because every request needs its own. */
  const found = new Map<string, DomainRecord>();

  /** The owners of domains by name, also until any domain is written. */
  const owners = new Map<string, number>();
  const forget = (): void => {
    found.clear();
    owners.clear();
  };

  const findIn = (accountId: number, name: string): DomainRecord | undefined => {
    const key = domainKey(name);
    const known = found.get(`${accountId} ${key}`);
    if (known) return known;
    const domain = find.first(accountId, key);
    if (domain) found.set(`${accountId} ${key}`, domain);
    return domain;
  };

  return {
    /** The account's domain with this name, case-insensitive, with international names in either form. */
    find: findIn,
    /** The names of all accounts' domains, at most `limit`. */
    names: (limit: number) => names.all(limit).map(({ name }) => String(name)),
    /** The domain with this name, of any account. */
    findAnywhere(name: string): { readonly domain: DomainRecord; readonly accountId: number } | undefined {
      const key = domainKey(name);
      const accountId = owners.get(key) ?? Number(accountOf.get(key)?.["id"]);
      const domain = findIn(accountId, name);
      if (domain) owners.set(key, accountId);
      return domain && { domain, accountId };
    },
    list(accountId: number, filter: DomainSelection, page: OrderedPageRange<DomainOrder>) {
      const where = new Conditions()
        .add("account_id = ?", accountId)
        .addGiven("instr(name, ?) > 0", filter.query?.toLowerCase())
        .addGiven("forwarding_ready = ?", asInteger(filter.forwardingReady))
        .addGiven("send_ready = ?", asInteger(filter.sendReady))
        .addGiven("whitelabel IS ?", filter.whitelabel)
        .addGiven("routing_engine IS ?", filter.routingEngine);
      return selectPage(
        database,
        row,
        { table: "domains", columns: COLUMNS, where, orderBy: orders[page.order] },
        page,
      );
    },
    count: (accountId: number) => count(accountId),
    /** The distinct parent domains of the account's domains. */
    whitelabels: (accountId: number) => whitelabels.all(accountId).map(({ whitelabel }) => String(whitelabel)),
    /** Adds a domain. Undefined if any account already has a domain of this name. */
    create(accountId: number, name: string, ready: Readiness, settings: DomainSettings & DomainTraits, now: number) {
      forget();
      const { notificationEmail = null, whitelabel = null, webhook = null } = settings;
      return insert.first(
        accountId,
        domainKey(name),
        Number(ready.forwarding),
        Number(ready.sending),
        Number(settings.banned ?? false),
        notificationEmail,
        Number(settings.notifyWhenSpamBlocked ?? false),
        settings.routingEngine === undefined ? "alias" : settings.routingEngine,
        settings.rulesFallbackEmail ?? null,
        Number(settings.strictMxes ?? false),
        whitelabel,
        webhook,
        now,
        now,
      );
    },
    update(domain: DomainRecord, settings: DomainSettings, now: number): DomainRecord {
      forget();
      const { notificationEmail = domain.notificationEmail } = settings;
      const { whitelabel = domain.whitelabel, webhook = domain.webhook } = settings;
      return row.parse(update.get(notificationEmail, whitelabel, webhook, now, domain.id));
    },
    setReadiness(id: number, ready: Readiness): void {
      forget();
      setReadiness.run(Number(ready.forwarding), Number(ready.sending), id);
    },
    setSmtpBlocked(id: number, blocked: boolean): void {
      forget();
      setSmtpBlocked.run(Number(blocked), id);
    },
    /** Deletes a domain with everything that belongs to it. */
    delete(id: number): void {
      forget();
      remove.run(id);
    },
    /** Clears the cache: a write may have been rolled back. */
    forget,
  };
}

/** A name as it is stored and compared: ASCII, lower case. */
export function domainKey(name: string): string {
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  return /^[\0-\x7f]*$/.test(name) ? name.toLowerCase() : domainToASCII(name);
}

function asInteger(flagged: boolean | undefined): number | undefined {
  return flagged === undefined ? undefined : Number(flagged);
}
