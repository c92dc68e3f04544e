import { LettershopError } from "../../errors.js";

/**
 * The mailer's store cannot be read or written: the disk is full, another program holds the file, or it is damaged. What was
 * not written has not happened: a `queue` that throws this has queued nothing.
 */
export class StoreError extends LettershopError {
  override readonly name = "StoreError";
  readonly code = "store";
}

interface Trouble {
  readonly what: string;
  readonly hint: string;
}

const held = { what: "another program holds it", hint: "End what has it open for long: a shell, a copy, a backup." };

/** By SQLite's own words, which both drivers give; not always do they give the code. */
const troubles: Readonly<Record<string, Trouble>> = {
  "database is locked": held,
  "database table is locked": held,
  "attempt to write a readonly database": {
    what: "it is read-only",
    hint: "Give this process the right to write the file and its folder.",
  },
  "disk I/O error": {
    what: "the disk failed",
    hint: "Look at the disk and the system's log; the store has to be on a local disk.",
  },
  "database disk image is malformed": {
    what: "it is damaged",
    hint: "Put it aside, save what `sqlite3 FILE .recover` finds, and start with a new one.",
  },
  "database or disk is full": {
    what: "the disk is full",
    hint: "Make room on its disk; what was queued before is there.",
  },
  "unable to open database file": {
    what: "it cannot be opened",
    hint: "It has to be in a folder that this process may read and write.",
  },
  "file is not a database": { what: "it is no SQLite file", hint: "Name another file, or put this one aside." },
};

/** SQLite's error in words that say what happened to which file, and what to do next; others are given as they are. */
export function storeErrorOf(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_SQLITE_ERROR") return error;
  const trouble = troubles[error.message];
  return new StoreError(`The mailer's store ${file} cannot be used: ${trouble?.what ?? error.message}.`, {
    cause: error,
    ...(trouble === undefined ? {} : { hint: trouble.hint }),
  });
}
