import { setTimeout as sleep } from "node:timers/promises";
import type { LogStatus } from "../../api/index.js";
import { withProjectApart } from "../apart/project-apart.js";
import { UsageError } from "../arguments.js";
import { defineCommand, exitCode } from "../command.js";
import { readLog, type ShownEntry } from "../delivery-log.js";
import { table } from "../report/table.js";
import { withTarget } from "../target.js";

const statuses = [
  "QUEUED",
  "DELIVERED",
  "SOFT-BOUNCE",
  "HARD-BOUNCE",
  "BOUNCED",
  "REFUSED",
] as const satisfies readonly LogStatus[];

/** How often `--follow` asks: far below the endpoint's limit on a free account, 30 a minute. */
const followMs = 4000;

/** Entries that are shown without `--since`. */
const newest = 50;

export const logs = defineCommand({
  summary: "Show the delivery log",
  flags: {
    to: { summary: "Only mail to this address", value: "ADDRESS" },
    status: { summary: "Only mail that an event with this status happened to", value: "STATUS", oneOf: statuses },
    since: { summary: "Only what is newer: a time (ISO 8601) or an age such as 30m, 2h, 7d", value: "T" },
    follow: { summary: "Go on showing new entries, until Ctrl-C" },
  },
  examples: ["templates logs --to ada@example.com --since 2h", "templates logs --status HARD-BOUNCE --env production"],
  async run({ flags, output, signal }) {
    const since = flags.since === undefined ? undefined : readSince(flags.since, new Date());
    const status = isStatus(flags.status) ? flags.status : undefined;
    return withProjectApart(flags, signal, async ({ project }) => {
      return withTarget(project, flags.env, output, async (target) => {
        const read = async (): Promise<ShownEntry[]> => {
          const entries: ShownEntry[] = [];
          for await (const entry of readLog(target, { to: flags.to, status, since, signal })) {
            entries.push(entry);
            if (since === undefined && entries.length === newest) break;
          }
          return entries.toReversed();
        };
        const entries = await read();
        output.print(
          entries.length === 0
            ? "The log has no such entry."
            : table([["TIME", "STATUS", "TO", "SUBJECT", "ID"], ...entries.map(({ line }) => line)]),
        );
        output.json({ logs: entries.map(({ entry }) => entry) });
        const seen = new Set(entries.map(({ id }) => id));
        while (flags.follow && !signal.aborted) {
          await sleep(followMs, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) break;
          for (const entry of await read()) {
            if (!seen.has(entry.id)) output.print(entry.line.join("  "));
            seen.add(entry.id);
          }
        }
        return exitCode.done;
      });
    });
  },
});

function isStatus(text: string | undefined): text is LogStatus {
  return statuses.some((status) => status === text);
}

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

function readSince(text: string, now: Date): Date {
  const age = /^(\d+)([smhd])$/.exec(text);
  const unit = age?.[2];
  if (unit === "s" || unit === "m" || unit === "h" || unit === "d")
    return new Date(now.getTime() - Number(age?.[1]) * units[unit] * 1000);
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`--since takes a time such as 2026-11-20T10:00:00Z or an age such as 30m, not "${text}".`);
  return time;
}
