import { POSTGRES_ADDRESS, resolveEnvironment, storeSetting } from "../../project/environment.js";
import { smtp } from "../../smtp/index.js";
import type { OutboxState, OutboxStore } from "../../send/store/outbox.js";
import { systemClock } from "../../send/clock.js";
import type { Courier } from "../../send/delivery/courier.js";
import { createOutbox, type OutboxOperations } from "../../send/outbox/outbox.js";
import { targetOf } from "../../send/parcel.js";
import { SENDS_PER_MINUTE } from "../../api/limits.js";
import type { CommandInput, Flags } from "../command.js";
import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import type { MailStore } from "../../send/store/store.js";
import { UsageError } from "../arguments.js";
import { loadPostgres } from "../keyless/preload.js";
import { workingFolder } from "../project.js";

/** The queued messages for one service and domain. */
export interface Box extends OutboxOperations {
  /** Deletes the content of all decided messages to an address; those that wait, or are parked, are skipped. */
  erase(recipient: string, options: { readonly dryRun: boolean }): Promise<Erased>;
  /** `https://api.example.com example.com` */
  readonly target: string;
}

/** The command never sends: the application's worker does, with its key. */
const noCourier: Courier = {
  deliver: () => Promise.reject(new Error("the command does not send")),
  reconcile: () => Promise.reject(new Error("the command does not send")),
  close: async () => undefined,
};

type BoxesInput = Pick<CommandInput<Flags>, "flags" | "signal" | "withKeylessProject">;

/** A store's messages by service and domain; with `--env`, only one environment's. Needs no key. */
export async function openBoxes(store: OutboxMailStore, input: BoxesInput): Promise<readonly Box[]> {
  const targets =
    input.flags.env === undefined ? await store.outbox.targets() : [await targetOfEnvironment(input.flags.env, input)];
  return boxesOf(store, targets);
}

/** The store's messages for these services and domains. */
export function boxesOf(store: OutboxMailStore, targets: readonly string[]): readonly Box[] {
  return targets.map((target) => boxOf(store, target));
}

function boxOf({ outbox: store }: OutboxMailStore, target: string): Box {
  const [url = "", domain = ""] = target.split(" ");
  const outbox = createOutbox({
    store,
    url,
    domain,
    courier: noCourier,
    // The remaining requests of this minute are only known with a key.
    pace: { expectedWait: () => 0 },
    clock: systemClock,
    publish: () => undefined,
    sendsPerMinute: SENDS_PER_MINUTE,
  });
  return { ...outbox, target, erase: (recipient, { dryRun }) => erase(store, target, recipient, dryRun) };
}

interface Erased {
  readonly ids: readonly string[];
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
}

const DECIDED: readonly OutboxState[] = ["accepted", "rejected", "expired", "discarded"];
const PAGE = 500;

async function erase(store: OutboxStore, target: string, recipient: string, dryRun: boolean): Promise<Erased> {
  const ids: string[] = [];
  const skipped: { id: string; reason: string }[] = [];
  for (let after: string | undefined; ;) {
    const page = await store.list(target, { recipient, limit: PAGE, ...(after !== undefined && { after }) });
    for (const { id, state, reason } of page) {
      const change = { state, ...(reason !== undefined && { reason }), dropContents: true };
      if (!DECIDED.includes(state)) skipped.push({ id, reason: `it is ${state}` });
      else if (dryRun || (await store.change(id, { states: [state] }, change))) ids.push(id);
      else skipped.push({ id, reason: "it has just changed" });
    }
    after = page.at(-1)?.id;
    if (page.length < PAGE) return { ids, skipped };
  }
}

async function targetOfEnvironment(name: string, { flags, signal, withKeylessProject }: BoxesInput): Promise<string> {
  return withKeylessProject(flags, signal, async ({ project: { environments, folder } }) => {
    const environment = resolveEnvironment({
      caller: "command",
      name,
      environments,
      cwd: folder,
      options: {
        apiKey: "not needed",
        allowInsecure: true,
        // Its mailers' messages are for the SMTP server.
        ...(environments[name]?.transport === "smtp" && { transport: smtp() }),
      },
    });
    return targetOf(environment.smtp?.url ?? environment.url, environment.domain);
  });
}

/** A store that has an outbox. */
type OutboxMailStore = MailStore & Required<Pick<MailStore, "outbox">>;

/** Its name is the path of its file, or the address of its database without user and password. */
export type NamedStore = OutboxMailStore & { readonly name: string };

export interface StoreFlags {
  readonly store: string | undefined;
  /** Of a store in Postgres. */
  readonly schema: string | undefined;
  readonly cwd: string | undefined;
}

/**
 * Opens the store that `--store` or LETTERSHOP_STORE names, and closes it after use. Never creates a file or tables.
 *
 * @throws {UsageError} No store is named, or it does not exist.
 * @throws {StoreError} The store can't be read.
 * @throws {ConfigurationError} The store belongs to another program or a newer version, or has no tables.
 */
export async function withStore<Result>(
  flags: StoreFlags,
  use: (store: OutboxMailStore) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(requireNamed(flags), flags);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/**
 * @param named As `storeNamed` returns it.
 * @throws As `withStore`.
 */
export async function openStore(named: string, { schema }: Pick<StoreFlags, "schema">): Promise<NamedStore> {
  if (POSTGRES_ADDRESS.test(named)) {
    const { openPostgres } = await loadPostgres();
    const store = openPostgres({ connectionString: named, schema, migrate: false });
    await store.ready().catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
    return store;
  }
  await requireFile(named);
  const { openMailStore } = await import("../../send/store/sqlite.js");
  return { ...(await openMailStore(named, systemClock)), name: named };
}

/** The address of the named store's database. */
export function requirePostgres(flags: StoreFlags): string {
  const named = requireNamed(flags);
  if (POSTGRES_ADDRESS.test(named)) return named;
  throw new UsageError("The store is a file: mailers create and update its tables.", {
    hint: "Only a store in Postgres is migrated by a command.",
  });
}

/** The absolute path of the store, or the address of its database; undefined if none is named. */
export function storeNamed(flags: StoreFlags): string | undefined {
  const named = flags.store ?? storeSetting();
  if (named === undefined || POSTGRES_ADDRESS.test(named)) return named;
  return path.resolve(workingFolder(flags), named);
}

function requireNamed(flags: StoreFlags): string {
  const named = storeNamed(flags);
  if (named !== undefined) return named;
  throw new UsageError("No store is given.", {
    hint: "Use --store or set LETTERSHOP_STORE: the path of the application's store, or the address of its Postgres database.",
  });
}

/** @throws {UsageError} The file does not exist, or no mailer has written to it. */
export async function requireFile(file: string): Promise<Stats> {
  const facts = await stat(file).catch((cause: unknown) => {
    throw new UsageError(`There is no store at ${file}.`, {
      cause,
      hint: "A mailer with this `store` creates it when it first queues or sends a message.",
    });
  });
  if (facts.isFile() && facts.size > 0) return facts;
  throw new UsageError(`${file} is ${facts.isFile() ? "empty: no mailer has written to it" : "not a file"}.`, {
    hint: "Check that it is the path of the application's store.",
  });
}
