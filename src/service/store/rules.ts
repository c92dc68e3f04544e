import { z } from "zod";
import { type RuleKind, ruleKindSchema, type RuleOrder } from "../../api/contract/v4/rules.js";
import { Conditions, type OrderedPageRange, selectPage } from "./page.js";
import type { Database, SqlValue } from "../../sqlite/driver.js";

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

export class RuleStore {
  readonly #database;
  readonly #find;
  readonly #isTaken;
  readonly #count;
  readonly #highest;
  readonly #active;
  readonly #insert;
  readonly #update;
  readonly #delete;
  readonly #deleteAll;

  constructor(database: Database) {
    this.#database = database;
    this.#find = database.prepare(`SELECT ${COLUMNS} FROM rules WHERE domain_id = ? AND id = ?`);
    this.#isTaken = database.prepare("SELECT 1 FROM rules WHERE id = ?");
    this.#count = database.prepare(`
      SELECT count(*) AS total FROM rules JOIN domains ON domains.id = rules.domain_id WHERE account_id = ?`);
    this.#highest = database.prepare("SELECT max(rank) AS rank FROM rules WHERE domain_id = ?");
    this.#active = database.prepare(`
      SELECT ${COLUMNS} FROM rules WHERE domain_id = ? AND active = 1 ORDER BY ${orders.rank_asc}`);
    this.#insert = database.prepare(`
      INSERT INTO rules (id, domain_id, type, config, config_key, rank, active, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ? * ?, ?, ?, ?) RETURNING ${COLUMNS}`);
    this.#update = database.prepare(`
      UPDATE rules SET type = ?, config = ?, config_key = ?, rank = ? * ?, active = ?, updated_at = ? WHERE seq = ?
      RETURNING ${COLUMNS}`);
    this.#delete = database.prepare("DELETE FROM rules WHERE seq = ?");
    this.#deleteAll = database.prepare("DELETE FROM rules WHERE domain_id = ?");
  }

  find(domainId: number, id: string): RuleRecord | undefined {
    const columns = this.#find.get(domainId, id);
    return columns && row.parse(columns);
  }

  /** Whether any rule of any domain has this id. */
  isTaken(id: string): boolean {
    return this.#isTaken.get(id) !== undefined;
  }

  /** Number of rules in all of the account's domains. */
  count(accountId: number): number {
    return Number(this.#count.get(accountId)?.["total"]);
  }

  /** The highest rank of the domain's rules. Undefined if it has none. */
  highestRank(domainId: number): number | undefined {
    const rank = this.#highest.get(domainId)?.["rank"];
    return typeof rank === "number" ? rank : undefined;
  }

  /** The active rules in order of evaluation. */
  active(domainId: number): RuleRecord[] {
    return this.#active.all(domainId).map((columns) => row.parse(columns));
  }

  /** A page of rules. With `query`: those whose configuration contains it in one of its strings, case-insensitive. */
  list(
    domainId: number,
    query: string | undefined,
    page: OrderedPageRange<RuleOrder>,
  ): { readonly rules: RuleRecord[]; readonly total: number } {
    const where = new Conditions()
      .add("domain_id = ?", domainId)
      .addGiven("instr(config_key, ?) > 0", query?.toLowerCase());
    const selection = { table: "rules", columns: COLUMNS, where, orderBy: orders[page.order] } as const;
    const { rows, total } = selectPage(this.#database, selection, page);
    return { rules: rows.map((columns) => row.parse(columns)), total };
  }

  create(domainId: number, fields: RuleFields, now: number): RuleRecord {
    return row.parse(this.#insert.get(fields.id, domainId, ...columnsOf(fields), now, now));
  }

  /** Writes all fields except the id. */
  update(seq: number, fields: Omit<RuleFields, "id">, now: number): RuleRecord {
    return row.parse(this.#update.get(...columnsOf(fields), now, seq));
  }

  delete(seq: number): void {
    this.#delete.run(seq);
  }

  /** Deletes every rule of the domain and returns their number. */
  deleteAll(domainId: number): number {
    return Number(this.#deleteAll.run(domainId).changes);
  }
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
