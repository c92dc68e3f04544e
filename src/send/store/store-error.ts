import { SendError } from "../send-error.js";

/**
 * The mailer's store cannot be read or written: the disk is full, another program holds the file, it is damaged, or it was moved
 * or replaced. A `send` that throws this has sent nothing, and a `queue` has queued nothing. Where the store fails after a request has
 * left, `send` resolves if the service accepted the message, and throws `unknown_outcome` if nobody knows.
 */
export class StoreError extends SendError {
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
  "file is not a database": { what: "it is not an SQLite file", hint: "Name another file, or put this one aside." },
};

/** Attached, it names the file. */
const NOT_OPENED = "unable to open database";
const notOpened = {
  what: "it cannot be opened",
  hint: "It has to be in a folder that this process may read and write.",
};

/** SQLite's error in words that say what happened to which file, and what to do next; others are given as they are. */
export function storeErrorOf(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_SQLITE_ERROR") return error;
  const trouble = error.message.startsWith(NOT_OPENED) ? notOpened : troubles[error.message];
  return new StoreError(`The mailer's store ${file} cannot be used: ${trouble?.what ?? error.message}.`, {
    cause: error,
    ...(trouble === undefined ? {} : { hint: trouble.hint }),
  });
}
