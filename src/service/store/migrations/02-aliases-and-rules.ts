/** Aliases and rules. */
export const aliasesAndRules = `
  CREATE TABLE aliases (
    -- Never given twice: version 3 and 4 both address an alias by it.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    domain_id INTEGER NOT NULL REFERENCES domains ON DELETE CASCADE,
    alias TEXT NOT NULL,
    alias_key TEXT NOT NULL,
    forward TEXT NOT NULL,
    forward_key TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (domain_id, alias_key)
  ) STRICT;
  CREATE INDEX aliases_by_time ON aliases (domain_id, created_at, id);

  CREATE TABLE rules (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    -- A UUID, which means the same in either case.
    id TEXT NOT NULL COLLATE NOCASE UNIQUE,
    domain_id INTEGER NOT NULL REFERENCES domains ON DELETE CASCADE,
    type TEXT NOT NULL,
    -- As JSON, as both versions show it.
    config TEXT NOT NULL,
    -- The texts of the configuration, for searching.
    config_key TEXT NOT NULL,
    rank REAL NOT NULL,
    active INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX rules_by_rank ON rules (domain_id, rank, seq);
  CREATE INDEX rules_by_time ON rules (domain_id, created_at, seq);
`;
