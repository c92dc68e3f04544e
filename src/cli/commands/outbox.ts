import { OUTBOX_STATES, type OutboxFilter } from "../../send/store/outbox.js";
import { didYouMean, isGiven, readSince, refuseOtherFlags, UsageError, wholeNumber } from "../arguments.js";
import { defineCommand } from "../command.js";
import { openBoxes, withStore } from "../outbox/boxes.js";
import { changeMessages } from "../outbox/change.js";
import { listMessages, showMessages, showStats } from "../outbox/report.js";

/** The flags that each action accepts, in addition to `--store`. */
const actions = {
  list: ["state", "template", "since", "limit", "showAddresses"],
  show: ["showAddresses"],
  retry: ["state", "template", "since", "limit", "dryRun", "yes"],
  discard: ["state", "template", "since", "limit", "dryRun", "yes"],
  stats: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Action = keyof typeof actions;

const LIMIT_MAX = 100_000;

export const command = defineCommand({
  operands: "list|show|retry|discard|stats [ids…]",
  count: [1, Number.POSITIVE_INFINITY],
  flags: {
    store: { summary: "The mailer's store (default: LETTERSHOP_STORE)", value: "FILE" },
    state: { summary: "Only messages in this state", value: "STATE", many: true, oneOf: OUTBOX_STATES },
    template: { summary: "Only messages of this template", value: "NAME" },
    since: { summary: "Only messages queued since this time (ISO 8601, or an age such as 30m, 2h, 7d)", value: "T" },
    limit: { summary: "Maximum number of messages", value: "N" },
    dryRun: { summary: "retry, discard: show what would change, without changing it" },
    yes: { summary: "retry, discard: don't ask for confirmation" },
    showAddresses: { summary: "list, show: show full addresses (masked by default)" },
  },
  examples: [
    "templates outbox stats --store data/mail.db",
    "templates outbox list --state parked --state rejected",
    "templates outbox retry --state rejected --template receipt --since 2h --dry-run",
    "templates outbox discard 01987c2e-5b5c-7d41-9a3e-6f0f4f8c2b11",
  ],
  async run({ names: [action = "", ...ids], flags, output, signal, withKeylessProject }) {
    if (!isAction(action)) throw unknownAction(action);
    checkFlags(action, ids, flags);
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
      return changeMessages(boxes, { action, ids, filter, dryRun, yes, signal }, output);
    });
  },
});

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
  if ((action === "list" || action === "stats") && ids.length > 0)
    throw new UsageError(`"templates outbox ${action}" does not accept IDs.`, {
      hint: "Run: templates outbox show ID",
    });
  const filter = ["state", "template", "since", "limit"].find((name) => isGiven(flags[name]));
  if (ids.length > 0 && filter !== undefined)
    throw new UsageError(`Select messages by ID or with --${filter}, not both.`);
}
