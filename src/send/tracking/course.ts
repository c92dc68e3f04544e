import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { LoggedEvent } from "./logged-event.js";
import { replyInWords } from "./replies.js";

/** The statuses (part 3) as they stand in a sentence. */
export const STATUS_IN_WORDS: Readonly<Record<LogStatus, string>> = {
  QUEUED: "accepted",
  DELIVERED: "delivered",
  "SOFT-BOUNCE": "soft-bounced",
  "HARD-BOUNCE": "hard-bounced",
  BOUNCED: "bounced",
  REFUSED: "refused",
};

/** Writes a moment; without what the one before it, if there is one, shows already. */
export type WriteTime = (time: number, before: number | undefined) => string;

/**
 * What happened to a mail, as a sentence.
 *
 * @example
 * courseInWords(events, utcTime);
 * // "accepted 10:02, soft-bounced twice (mailbox full), delivered 10:31"
 */
export function courseInWords(events: readonly LoggedEvent[], writeTime: WriteTime): string {
  let before: number | undefined;
  return groups(events)
    .map((group) => {
      const [first] = group;
      if (first === undefined) return "";
      const { status, at } = first;
      const reasons = status === "QUEUED" || status === "DELIVERED" ? [] : reasonsOf(group);
      const bracket = reasons.length === 0 ? "" : ` (${reasons.join(", then ")})`;
      if (group.length > 1) return `${STATUS_IN_WORDS[status]} ${times(group.length)}${bracket}`;
      const time = writeTime(at, before);
      before = at;
      return `${STATUS_IN_WORDS[status]} ${time}${bracket}`;
    })
    .join(", ");
}

/** `10:02` in UTC; with its date where that is another than the one before. */
export function utcTime(time: number, before: number | undefined): string {
  const [date, clock] = new Date(time).toISOString().slice(0, 16).split("T");
  const isSameDay = before === undefined || new Date(before).toISOString().slice(0, 10) === date;
  return isSameDay ? `${clock}` : `${date} ${clock}`;
}

/** The same status again and again is one thing to tell of. */
function groups(events: readonly LoggedEvent[]): LoggedEvent[][] {
  const found: LoggedEvent[][] = [];
  for (const event of events) {
    const last = found.at(-1);
    if (last?.[0]?.status === event.status) last.push(event);
    else found.push([event]);
  }
  return found;
}

function reasonsOf(events: readonly LoggedEvent[]): string[] {
  return [...new Set(events.flatMap((event) => replyInWords(event) ?? []))];
}

function times(count: number): string {
  return count === 2 ? "twice" : `${count} times`;
}
