import { statSync } from "node:fs";
import { StoreError } from "./store-error.js";

/**
 * Returns a check that an open store is still the file at its path. SQLite keeps writing to a file that was deleted,
 * moved or replaced, and those writes are lost. The check takes a few microseconds. It opens nothing, because closing
 * another descriptor of the file would drop the locks that SQLite has on it (POSIX).
 *
 * @param path Absolute. The file is open, and so is its write-ahead log.
 */
export function checkNotMoved(path: string, file: string): () => void {
  const originals = [path, `${path}-wal`].map((each) => ({ path: each, identity: identityOf(each) }));
  return () => {
    for (const { path: each, identity } of originals) {
      if (identity === "unknown") continue;
      const now = identityOf(each);
      if (now !== identity && now !== "unknown") throw movedError(file, now);
    }
  };
}

/** Undefined if there is no file; `unknown` if that cannot be determined. */
function identityOf(path: string): string | undefined {
  try {
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
    return facts && `${facts.dev}:${facts.ino}`;
  } catch {
    return "unknown";
  }
}

function movedError(file: string, now: string | undefined): StoreError {
  const happened = now === undefined ? "moved or deleted" : "replaced by another file";
  return new StoreError(`The mailer's store ${file} was ${happened} while this process had it open.`, {
    hint: "Restart the process, so that it opens the store again. To replace a store, first stop every process that uses it.",
  });
}
