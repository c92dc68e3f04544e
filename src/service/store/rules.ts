import { z } from "zod";
import { type RuleKind, ruleKindSchema, type RuleOrder } from "../../api/contract/v4/rules.js";
import { Conditions, type OrderedPageRange, selectPage } from "./page.js";
import type { Database, SqlValue } from "../../sqlite/driver.js";
import type { DomainRecord } from "./domains.js";
import { prepareNumber, prepareQuery } from "./statements.js";

const row = z
  .object({
    seq: z.int(),
    id: z.string(),
    type: z.string(),
    config: z.string().transform((text): unknown => JSON.parse(text)),
    rank: z.number(),
    active: z.int().transform(Boolean),
    createdAt: z.int(),
    updatedAt: z.int(),
  })
  .transform(({ type, config, ...others }) => ({ ...others, kind: ruleKindSchema.parse({ type, config }) }));

export type RuleRecord = Readonly<z.infer<typeof row>>;

/** The fields of a rule that clients write. */
export interface RuleFields {
  readonly id: string;
  /** Its type with the configuration for that type. */
  readonly kind: RuleKind;
  /** Rules are evaluated from the lowest rank up; rules of the same rank in order of creation. */
  readonly rank: number;
  readonly active: boolean;
}

const COLUMNS = "seq, id, type, config, rank, active, created_at AS createdAt, updated_at AS updatedAt";

const orders: Readonly<Record<RuleOrder, string>> = {
  rank_asc: "rank ASC, seq ASC",
  rank_desc: "rank DESC, seq DESC",
  created_asc: "created_at ASC, seq ASC",
  created_desc: "created_at DESC, seq DESC",
};

export type RuleStore = ReturnType<typeof ruleStore>;

export function ruleStore(database: Database) {
  const find = prepareQuery(database, row, `SELECT ${COLUMNS} FROM rules WHERE domain_id = ? AND id = ?`);
  const isTaken = database.prepare("SELECT 1 FROM rules WHERE id = ?");
  const count = prepareNumber(
    database,
    "SELECT count(*) FROM rules JOIN domains ON domains.id = rules.domain_id WHERE account_id = ?",
  );
  const highest = database.prepare("SELECT max(rank) AS rank FROM rules WHERE domain_id = ?");
  const active = prepareQuery(
    database,
    row,
    `SELECT ${COLUMNS} FROM rules WHERE domain_id = ? AND active = 1 ORDER BY ${orders.rank_asc}`,
  );
  const insert = database.prepare(`
    INSERT INTO rules (id, domain_id, type, config, config_key, rank, active, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ? * ?, ?, ?, ?) RETURNING ${COLUMNS}`);
  const update = database.prepare(`
    UPDATE rules SET type = ?, config = ?, config_key = ?, rank = ? * ?, active = ?, updated_at = ? WHERE seq = ?
    RETURNING ${COLUMNS}`);
  const remove = database.prepare("DELETE FROM rules WHERE seq = ?");
  const removeAll = database.prepare("DELETE FROM rules WHERE domain_id = ?");

  /** Cache of active rules, until any rule is written, because every received email needs its domain's. */
  let found = new WeakMap<DomainRecord, readonly RuleRecord[]>();

  return {
    find: (domainId: number, id: string) => find.first(domainId, id),
    /** Whether any rule of any domain has this id. */
    isTaken: (id: string) => isTaken.get(id) !== undefined,
    /** Number of rules in all of the account's domains. */
    count: (accountId: number) => count(accountId),
    /** The highest rank of the domain's rules. Undefined if it has none. */
    highestRank(domainId: number): number | undefined {
      const rank = highest.get(domainId)?.["rank"];
      return typeof rank === "number" ? rank : undefined;
    },
    /** The active rules in order of evaluation. */
    active(domain: DomainRecord): readonly RuleRecord[] {
      const rules = found.get(domain) ?? active.all(domain.id);
      found.set(domain, rules);
      return rules;
    },
    /** A page of rules. With `query`: those whose configuration contains it in one of its strings, case-insensitive. */
    list(domainId: number, query: string | undefined, page: OrderedPageRange<RuleOrder>) {
      const where = new Conditions()
        .add("domain_id = ?", domainId)
        .addGiven("instr(config_key, ?) > 0", query?.toLowerCase());
      return selectPage(database, row, { table: "rules", columns: COLUMNS, where, orderBy: orders[page.order] }, page);
    },
    create(domainId: number, fields: RuleFields, now: number): RuleRecord {
      found = new WeakMap();
      return row.parse(insert.get(fields.id, domainId, ...columnsOf(fields), now, now));
    },
    /** Writes all fields except the id. */
    update(seq: number, fields: Omit<RuleFields, "id">, now: number): RuleRecord {
      found = new WeakMap();
      return row.parse(update.get(...columnsOf(fields), now, seq));
    },
    delete(seq: number): void {
      found = new WeakMap();
      remove.run(seq);
    },
    /** Deletes every rule of the domain and returns their number. */
    deleteAll(domainId: number): number {
      found = new WeakMap();
      return Number(removeAll.run(domainId).changes);
    },
  };
}

function columnsOf({ kind, rank, active }: Omit<RuleFields, "id">): SqlValue[] {
  return [kind.type, JSON.stringify(kind.config), searchedTexts(kind), ...factorsOf(rank), Number(active)];
}

/** The bundled SQLite binds positive numbers below 1e-16 as 0, but negative ones correctly. */
function factorsOf(rank: number): [number, number] {
  return rank > 0 ? [-rank, -1] : [rank, 1];
}

function searchedTexts({ config }: RuleKind): string {
  // Scopes are not user-written text.
  return Object.values(config)
    .filter((value) => typeof value === "string")
    .join("\n")
    .toLowerCase();
}
