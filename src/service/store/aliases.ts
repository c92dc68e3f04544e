import { z } from "zod";
import { localPartKey } from "../address.js";
import type { AliasOrder } from "../../api/contract/v4/aliases.js";
import { Conditions, type OrderedPageRange, selectPage } from "./page.js";
import type { Database } from "../../sqlite/driver.js";
import { prepareNumber, prepareQuery } from "./statements.js";

/** The fields of an alias that clients write. */
export interface AliasFields {
  /** A local part, `*` for every other address, or a regular expression between slashes. */
  readonly alias: string;
  /** Addresses and webhooks, separated by commas. */
  readonly forward: string;
}

const row = z.object({
  id: z.int(),
  alias: z.string(),
  forward: z.string(),
  createdAt: z.int(),
  updatedAt: z.int(),
});

export type AliasRecord = Readonly<z.infer<typeof row>>;

/** Which aliases to list. Members that are left out do not filter. */
export interface AliasSelection {
  /** A substring of the alias or of its destinations, case-insensitive. */
  readonly query?: string | undefined;
  /** A prefix of the alias, case-insensitive. */
  readonly prefix?: string | undefined;
}

const COLUMNS = "id, alias, forward, created_at AS createdAt, updated_at AS updatedAt";

const orders: Readonly<Record<AliasOrder, string>> = {
  name_asc: "alias_key ASC",
  name_desc: "alias_key DESC",
  created_asc: "created_at ASC, id ASC",
  created_desc: "created_at DESC, id DESC",
};

export type AliasStore = ReturnType<typeof aliasStore>;

export function aliasStore(database: Database) {
  const find = prepareQuery(database, row, `SELECT ${COLUMNS} FROM aliases WHERE domain_id = ? AND id = ?`);
  const findByName = prepareQuery(
    database,
    row,
    `SELECT ${COLUMNS} FROM aliases WHERE domain_id = ? AND alias_key = ?`,
  );
  const regexes = prepareQuery(
    database,
    row,
    `SELECT ${COLUMNS} FROM aliases WHERE domain_id = ? AND alias_key >= '/' AND alias_key < '0' ORDER BY id`,
  );
  const count = prepareNumber(
    database,
    "SELECT count(*) FROM aliases JOIN domains ON domains.id = aliases.domain_id WHERE account_id = ?",
  );
  const insert = database.prepare(`
    INSERT INTO aliases (domain_id, alias, alias_key, forward, forward_key, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`);
  const update = database.prepare(`
    UPDATE aliases SET alias = ?, alias_key = ?, forward = ?, forward_key = ?, updated_at = ? WHERE id = ?
    RETURNING ${COLUMNS}`);
  const remove = database.prepare("DELETE FROM aliases WHERE id = ?");
  const removeAll = database.prepare("DELETE FROM aliases WHERE domain_id = ?");

  return {
    find: (domainId: number, id: number) => find.first(domainId, id),
    /** The alias with this name, case-insensitive; regular expressions must be equal. */
    findByName: (domainId: number, alias: string) => findByName.first(domainId, aliasKey(alias)),
    /** The aliases that are regular expressions, in order of creation. */
    regexes: (domainId: number) => regexes.all(domainId),
    /** Number of aliases in all of the account's domains. */
    count: (accountId: number) => count(accountId),
    list(domainId: number, filter: AliasSelection, page: OrderedPageRange<AliasOrder>) {
      const where = new Conditions().add("domain_id = ?", domainId);
      if (filter.query !== undefined) {
        const query = filter.query.toLowerCase();
        where.add("(instr(lower(alias_key), ?) > 0 OR instr(forward_key, ?) > 0)", query, query);
      }
      where.addGiven("instr(lower(alias_key), ?) = 1", filter.prefix?.toLowerCase());
      return selectPage(
        database,
        row,
        { table: "aliases", columns: COLUMNS, where, orderBy: orders[page.order] },
        page,
      );
    },
    create: (domainId: number, fields: AliasFields, now: number): AliasRecord =>
      row.parse(insert.get(domainId, ...columnsOf(fields), now, now)),
    update: (id: number, fields: AliasFields, now: number): AliasRecord =>
      row.parse(update.get(...columnsOf(fields), now, id)),
    delete(id: number): void {
      remove.run(id);
    },
    /** Deletes every alias of the domain and returns their number. */
    deleteAll: (domainId: number) => Number(removeAll.run(domainId).changes),
  };
}

function columnsOf({ alias, forward }: AliasFields): [string, string, string, string] {
  return [alias, aliasKey(alias), forward, forward.toLowerCase()];
}

/** The key by which aliases are compared. In a regular expression, case matters: `\d` is not `\D`. */
function aliasKey(alias: string): string {
  return alias.startsWith("/") ? alias : localPartKey(alias);
}
