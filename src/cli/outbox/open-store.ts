import { stat } from "node:fs/promises";
import path from "node:path";
import { storeFile } from "../../project/store-file.js";
import { systemClock } from "../../send/clock.js";
import type { MailStore } from "../../send/store/store.js";
import { UsageError } from "../arguments.js";
import { workingFolder } from "../project.js";

/** A store that has an outbox. */
export type OutboxMailStore = MailStore & Required<Pick<MailStore, "outbox">>;

interface StoreFlags {
  readonly store: string | undefined;
  readonly cwd: string | undefined;
}

/**
 * Opens the store that `--store` or LETTERSHOP_STORE names, and closes it after use. Never creates the file.
 *
 * @throws {UsageError} No store is named, or it does not exist.
 * @throws {StoreError} The store can't be read, or another program has locked it.
 * @throws {ConfigurationError} The file belongs to another program or a newer version.
 */
export async function withStore<Result>(
  flags: StoreFlags,
  use: (store: OutboxMailStore) => Promise<Result>,
): Promise<Result> {
  const file = storeNamed(flags);
  if (file === undefined)
    throw new UsageError("No store is given.", {
      hint: "Use --store FILE or set LETTERSHOP_STORE to the path of the application's store.",
    });
  await requireStore(file);
  const { openMailStore } = await import("../../send/store/sqlite.js");
  const store = await openMailStore(file, systemClock);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** The absolute path of the store; undefined if none is named. */
export function storeNamed(flags: StoreFlags): string | undefined {
  const file = flags.store ?? storeFile();
  return file === undefined ? undefined : path.resolve(workingFolder(flags), file);
}

async function requireStore(file: string): Promise<void> {
  const facts = await stat(file).catch((cause: unknown) => {
    throw new UsageError(`There is no store at ${file}.`, {
      cause,
      hint: "A mailer with this `store` creates it when it first queues or sends a message.",
    });
  });
  if (facts.isFile() && facts.size > 0) return;
  throw new UsageError(`${file} is ${facts.isFile() ? "empty: no mailer has written to it" : "not a file"}.`, {
    hint: "Check that it is the path of the application's store.",
  });
}
