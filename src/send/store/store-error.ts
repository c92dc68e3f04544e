import { SendError } from "../send-error.js";

/**
 * The mailer's store cannot be read or written: the disk is full, another program has locked the file, it is damaged,
 * or it was moved or replaced. A `send` that throws this has sent nothing, and a `queue` has queued nothing. If the
 * store fails after a request was made, `send` resolves if the service accepted the message, and throws
 * `unknown_outcome` if nobody knows.
 */
export class StoreError extends SendError {
  override readonly name = "StoreError";
  readonly code = "store";
}

interface Trouble {
  readonly what: string;
  readonly hint: string;
}

const held = {
  what: "another program has locked it",
  hint: "Close programs that keep it open, such as a SQLite shell, a copy or a backup.",
};

/** Keyed by SQLite's messages: both drivers have them, but not always the code. */
const troubles: Readonly<Record<string, Trouble>> = {
  "database is locked": held,
  "database table is locked": held,
  "attempt to write a readonly database": {
    what: "it is read-only",
    hint: "Allow this process to write to the file and its folder.",
  },
  "disk I/O error": {
    what: "the disk failed",
    hint: "Check the disk and the system log. The store must be on a local disk.",
  },
  "database disk image is malformed": {
    what: "it is damaged",
    hint: "Move it away, save what `sqlite3 FILE .recover` finds, and start with a new file.",
  },
  "database or disk is full": {
    what: "the disk is full",
    hint: "Free some space on its disk. Messages that were queued before are still there.",
  },
  "file is not a database": { what: "it is not an SQLite file", hint: "Use another file, or move this one away." },
};

/** With an attached database, this is followed by the file name. */
const NOT_OPENED = "unable to open database";
const notOpened = {
  what: "it cannot be opened",
  hint: "It must be in a folder that this process may read and write.",
};

/**
 * Translates SQLite's error into one that names the file, what happened and what to do; returns other errors unchanged.
 */
export function storeErrorOf(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_SQLITE_ERROR") return error;
  const trouble = error.message.startsWith(NOT_OPENED) ? notOpened : troubles[error.message];
  return new StoreError(`Can't use the mailer's store ${file}: ${trouble?.what ?? error.message}.`, {
    cause: error,
    ...(trouble === undefined ? {} : { hint: trouble.hint }),
  });
}
