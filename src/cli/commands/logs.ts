import type { LogEntry, LogStatus } from "../../api/index.js";
import { readSince, UsageError } from "../arguments.js";
import { isPassing } from "../../send/tracking/context.js";
import { type CommandInput, defineCommand, exitCode, type Flags } from "../command.js";
import { table } from "../report/table.js";
import { type Target, withTarget } from "../target.js";
import type { LogEntryV3 } from "../../api/contract/v3/logs.js";

interface LogWish {
  /** The recipient's whole address. */
  readonly to: string | undefined;
  /** At least one event has this status. */
  readonly status: LogStatus | undefined;
  /** Only newer entries. */
  readonly since: Date | undefined;
  readonly signal: AbortSignal;
}

/** An entry of either API version, and its line for display. */
interface ShownEntry {
  readonly id: string;
  readonly line: readonly [time: string, status: string, to: string, subject: string, id: string];
  /** As the service returned it. */
  readonly entry: LogEntry | LogEntryV3;
}

/** The matching entries, newest first. */
async function* readLog(target: Target, wish: LogWish): AsyncGenerator<ShownEntry> {
  const { domain } = target.environment;
  if (target.version === "v4") {
    const { to, status, since, signal } = wish;
    const filter = { recipient: to, status, after: since?.toISOString() };
    for await (const entry of target.client.logs.list(domain, filter, { signal }))
      yield toShownEntry(entry, entry.created_at);
    return;
  }
  for await (const entry of entriesOfV3(target.client, domain, wish))
    if (fits(entry, wish)) yield toShownEntry(entry, timeOf(entry.created));
}

/** Version 3 either lists everything, or searches a time range for a string. */
function entriesOfV3(
  { logs }: (Target & { version: "v3" })["client"],
  domain: string,
  { to, since, signal }: LogWish,
): AsyncIterable<LogEntryV3> {
  if (to === undefined && since === undefined) return logs.list(domain, { signal });
  return logs.search(domain, { after: since ?? 0, before: new Date(Date.now() + DAY_MS), text: to }, { signal });
}

/** The service's clock may be ahead of this machine's. */
const DAY_MS = 24 * 60 * 60 * 1000;

function fits({ recipient, events }: LogEntryV3, { to, status }: LogWish): boolean {
  return (
    (to === undefined || recipient.email.toLowerCase() === to.toLowerCase()) &&
    (status === undefined || events.some((event) => event.status === status))
  );
}

function toShownEntry(entry: LogEntry | LogEntryV3, time: string): ShownEntry {
  const { id, events, recipient, subject } = entry;
  return { id, entry, line: [time, events.at(-1)?.status ?? "", recipient.email, subject, id] };
}

/** `created` is in milliseconds, or a date as a string (part 2 of version 3). */
function timeOf(created: LogEntryV3["created"]): string {
  const time = new Date(created);
  return Number.isNaN(time.getTime()) ? String(created) : time.toISOString();
}

const statuses = [
  "QUEUED",
  "DELIVERED",
  "SOFT-BOUNCE",
  "HARD-BOUNCE",
  "BOUNCED",
  "REFUSED",
] as const satisfies readonly LogStatus[];

/** Interval of `--follow` in ms: far below the endpoint's limit on a free account, 30 requests a minute. */
const followMs = 4000;

/** Number of entries shown without `--since`. */
const newest = 50;

export const command = defineCommand({
  flags: {
    to: { summary: "Only messages to this address", value: "ADDRESS" },
    status: { summary: "Only messages with an event of this status", value: "STATUS", oneOf: statuses },
    since: { summary: "Only messages since this time (ISO 8601, or an age such as 30m, 2h, 7d)", value: "T" },
    follow: { summary: "Keep showing new entries, until Ctrl-C" },
  },
  examples: ["templates logs --to ada@example.com --since 2h", "templates logs --status HARD-BOUNCE --env production"],
  async run({ flags, output, signal, withKeylessProject, wait }) {
    if (flags.follow && flags.json)
      throw new UsageError("--follow never ends, and --json prints one document. Use only one of them.");
    const since = flags.since === undefined ? undefined : readSince(flags.since, new Date());
    const { to, status } = flags;
    return withKeylessProject(flags, signal, async ({ project }) => {
      return withTarget(project, flags.env, output, async (target) => {
        let last: string | undefined;
        /** Reads the newest entries, and all that are new since the last call. */
        const read = async (): Promise<ShownEntry[]> => {
          const entries: ShownEntry[] = [];
          let isReached = last === undefined;
          for await (const entry of readLog(target, { to, status, since, signal })) {
            entries.push(entry);
            isReached ||= entry.id === last;
            if (since === undefined && entries.length >= newest && isReached) break;
          }
          last = entries[0]?.id;
          return entries.toReversed();
        };
        const entries = await read();
        output.print(
          entries.length === 0
            ? "No matching log entries."
            : table([["TIME", "STATUS", "TO", "SUBJECT", "ID"], ...entries.map(({ line }) => line)]),
        );
        output.json({ logs: entries.map(({ entry }) => entry) });
        if (flags.follow) await follow(read, entries, { output, signal, wait });
        return exitCode.done;
      });
    });
  },
});

/** Prints new entries, and entries whose status has changed. */
async function follow(
  read: () => Promise<readonly ShownEntry[]>,
  shown: readonly ShownEntry[],
  { output, signal, wait }: Pick<CommandInput<Flags>, "output" | "signal" | "wait">,
): Promise<void> {
  let known = new Map(shown.map(({ id, line }) => [id, line.join("  ")]));
  while (!signal.aborted) {
    await wait(followMs);
    if (signal.aborted) return;
    const entries = await read().catch((error: unknown) => {
      if (signal.aborted) return [];
      if (!isPassing(error)) throw error;
      output.note(`${error.message} Retrying.`);
      return undefined;
    });
    if (entries === undefined) continue;
    const lines = new Map(entries.map(({ id, line }) => [id, line.join("  ")]));
    for (const [id, line] of lines) if (known.get(id) !== line) output.print(line);
    // Forget entries that are too old to be read again.
    known = lines;
  }
}
