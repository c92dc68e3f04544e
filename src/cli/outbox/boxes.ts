import { resolveEnvironment, storeFile } from "../../project/environment.js";
import { smtp } from "../../smtp/index.js";
import { systemClock } from "../../send/clock.js";
import type { Courier } from "../../send/delivery/courier.js";
import { createOutbox, type OutboxOperations } from "../../send/outbox/outbox.js";
import { targetOf } from "../../send/parcel.js";
import { SENDS_PER_MINUTE } from "../../api/limits.js";
import type { CommandInput, Flags } from "../command.js";
import { stat } from "node:fs/promises";
import path from "node:path";
import type { MailStore } from "../../send/store/store.js";
import { UsageError } from "../arguments.js";
import { workingFolder } from "../project.js";

/** The queued messages for one service and domain. */
export interface Box extends OutboxOperations {
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
  return { ...outbox, target };
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
