import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { LoggedEvent } from "./logged-event.js";
import { replyInWords } from "./replies.js";

/** The statuses (part 3) as words for a sentence. */
export const STATUS_IN_WORDS: Readonly<Record<LogStatus, string>> = {
  QUEUED: "accepted",
  DELIVERED: "delivered",
  "SOFT-BOUNCE": "soft-bounced",
  "HARD-BOUNCE": "hard-bounced",
  BOUNCED: "bounced",
  REFUSED: "refused",
};

/** Formats a time, without the parts that are the same as in the previous time, if there is one. */
export type WriteTime = (time: number, before: number | undefined) => string;

/**
 * What happened to an email, as a phrase.
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

/** `10:02` in UTC; with the date if it differs from the previous one. */
export function utcTime(time: number, before: number | undefined): string {
  const [date, clock] = new Date(time).toISOString().slice(0, 16).split("T");
  const isSameDay = before === undefined || new Date(before).toISOString().slice(0, 10) === date;
  return isSameDay ? `${clock}` : `${date} ${clock}`;
}

/** Groups consecutive events with the same status. */
function groups(events: readonly LoggedEvent[]): LoggedEvent[][] {
  const result: LoggedEvent[][] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (last?.[0]?.status === event.status) last.push(event);
    else result.push([event]);
  }
  return result;
}

function reasonsOf(events: readonly LoggedEvent[]): string[] {
  return [...new Set(events.flatMap((event) => replyInWords(event) ?? []))];
}

function times(count: number): string {
  return count === 2 ? "twice" : `${count} times`;
}
