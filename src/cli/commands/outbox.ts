import { storeFlags } from "../outbox/store-flags.js";
import { OUTBOX_STATES, type OutboxFilter } from "../../send/store/outbox.js";
import { didYouMean, isGiven, readSince, refuseOtherFlags, UsageError, wholeNumber } from "../arguments.js";
import { defineCommand, type ExitCode, exitCode } from "../command.js";
import type { Output } from "../output.js";
import { loadPostgres } from "../keyless/preload.js";
import { openBoxes, requirePostgres, withStore } from "../outbox/boxes.js";
import { changeMessages } from "../outbox/change.js";
import { listMessages, showMessages, showStats } from "../outbox/report.js";

/** The flags that each action accepts, in addition to `--store` and `--schema`. */
const actions = {
  list: ["state", "template", "since", "limit", "showAddresses"],
  show: ["showAddresses"],
  retry: ["state", "template", "since", "limit", "dryRun", "yes"],
  discard: ["state", "template", "since", "limit", "dryRun", "yes"],
  erase: ["dryRun", "yes"],
  stats: [],
  migrate: ["print"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Action = keyof typeof actions;

const LIMIT_MAX = 100_000;

export const command = defineCommand({
  operands: "list|show|retry|discard|erase|stats|migrate [ids…|address]",
  count: [1, Number.POSITIVE_INFINITY],
  flags: {
    ...storeFlags(),
    state: { summary: "Only messages in this state", value: "STATE", many: true, oneOf: OUTBOX_STATES },
    template: { summary: "Only messages of this template", value: "NAME" },
    since: { summary: "Only messages queued since this time (ISO 8601, or an age such as 30m, 2h, 7d)", value: "T" },
    limit: { summary: "Maximum number of messages", value: "N" },
    dryRun: { summary: "retry, discard, erase: show what would change, without changing it" },
    yes: { summary: "retry, discard, erase: don't ask for confirmation" },
    print: { summary: "migrate: print the SQL instead of running it" },
    showAddresses: { summary: "list, show: show full addresses (masked by default)" },
  },
  examples: [
    "templates outbox stats --store data/mail.db",
    "templates outbox list --state parked --state rejected",
    "templates outbox retry --state rejected --template receipt --since 2h --dry-run",
    "templates outbox discard 01987c2e-5b5c-7d41-9a3e-6f0f4f8c2b11",
    "templates outbox erase ada@example.com",
    "templates outbox migrate --print > migrations/mail.sql",
  ],
  async run({ names: [action = "", ...ids], flags, output, signal, withKeylessProject }) {
    if (!isAction(action)) throw unknownAction(action);
    checkFlags(action, ids, flags);
    if (action === "migrate") return migrateStore(flags, output);
    const filter: OutboxFilter = {
      ...(flags.state.length === 0 ? {} : { state: flags.state }),
      ...(flags.template === undefined ? {} : { template: flags.template }),
      ...(flags.since === undefined ? {} : { since: readSince(flags.since, new Date()).getTime() }),
      ...(flags.limit === undefined ? {} : { limit: wholeNumber("--limit", flags.limit, 1, LIMIT_MAX) ?? 1 }),
    };
    const { dryRun, yes, showAddresses: addresses } = flags;
    return withStore(flags, async (store) => {
      const boxes = await openBoxes(store, { flags, signal, withKeylessProject });
      if (action === "list") return listMessages(boxes, filter, output, { addresses });
      if (action === "show") return showMessages(boxes, ids, output, { addresses });
      if (action === "stats") return showStats(boxes, output);
      if (action === "erase")
        return changeMessages(
          boxes,
          { action, ids: [], filter: { recipient: ids[0] ?? "" }, dryRun, yes, signal },
          output,
        );
      return changeMessages(boxes, { action, ids, filter, dryRun, yes, signal }, output);
    });
  },
});

/** Creates or updates the tables of a store in Postgres, or prints the SQL for a team's own tool. */
async function migrateStore(
  flags: {
    readonly store: string | undefined;
    readonly schema: string | undefined;
    readonly cwd: string | undefined;
    readonly print: boolean;
  },
  output: Output,
): Promise<ExitCode> {
  const { openPostgres, migrationScript } = await loadPostgres();
  if (flags.print) {
    output.print(migrationScript(flags.schema).trimEnd());
    return exitCode.done;
  }
  const store = openPostgres({ connectionString: requirePostgres(flags), schema: flags.schema });
  try {
    const { from, to } = await store.ready();
    output.print(
      from === to
        ? `The tables are up to date: version ${to}.`
        : from === 0
          ? `The tables were created: version ${to}.`
          : `The tables were updated from version ${from} to ${to}.`,
    );
    output.json({ from, to });
    return exitCode.done;
  } finally {
    await store.close();
  }
}

function isAction(text: string): text is Action {
  return Object.hasOwn(actions, text);
}

function unknownAction(action: string): UsageError {
  const names = Object.keys(actions);
  return new UsageError(`"templates outbox" has no action "${action}".`, {
    hint: didYouMean(action, names, ": templates outbox ") ?? `The actions are ${names.join(", ")}.`,
  });
}

function checkFlags(action: Action, ids: readonly string[], flags: Readonly<Record<string, unknown>>): void {
  refuseOtherFlags(`templates outbox ${action}`, action, actions, flags);
  if (action === "show" && ids.length === 0) throw new UsageError('"templates outbox show" needs the ID of a message.');
  if (action === "erase" && (ids.length !== 1 || !ids[0]?.includes("@")))
    throw new UsageError('"templates outbox erase" needs one address.');
  if ((action === "list" || action === "stats" || action === "migrate") && ids.length > 0)
    throw new UsageError(`"templates outbox ${action}" does not accept IDs.`, {
      hint: "Run: templates outbox show ID",
    });
  const filter = ["state", "template", "since", "limit"].find((name) => isGiven(flags[name]));
  if (ids.length > 0 && filter !== undefined)
    throw new UsageError(`Select messages by ID or with --${filter}, not both.`);
}
