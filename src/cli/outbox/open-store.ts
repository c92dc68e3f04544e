import { stat } from "node:fs/promises";
import path from "node:path";
import { storeFile } from "../../config/store-file.js";
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
 * Opens the store that `--store` or LETTERSHOP_STORE names, and closes it after use. A file that no mailer has made is
 * not made here either.
 *
 * @throws {UsageError} None is named, or there is none.
 * @throws {StoreError} It cannot be read, or another program holds it.
 * @throws {ConfigurationError} It is another program's, or a newer version's.
 */
export async function withStore<Result>(
  flags: StoreFlags,
  use: (store: OutboxMailStore) => Promise<Result>,
): Promise<Result> {
  const file = storeNamed(flags);
  if (file === undefined)
    throw new UsageError("Nothing says which store to look into.", {
      hint: "Give --store FILE, or set LETTERSHOP_STORE: the path that the application's mailer has.",
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

/** The absolute path of the store, where one is named. */
export function storeNamed(flags: StoreFlags): string | undefined {
  const file = flags.store ?? storeFile();
  return file === undefined ? undefined : path.resolve(workingFolder(flags), file);
}

async function requireStore(file: string): Promise<void> {
  const facts = await stat(file).catch((cause: unknown) => {
    throw new UsageError(`There is no store at ${file}.`, {
      cause,
      hint: "It is made when a mailer with this `store` queues or sends for the first time.",
    });
  });
  if (facts.isFile() && facts.size > 0) return;
  throw new UsageError(`${file} is ${facts.isFile() ? "empty: no mailer has written to it" : "not a file"}.`, {
    hint: "Is it the path that the application's mailer has?",
  });
}
