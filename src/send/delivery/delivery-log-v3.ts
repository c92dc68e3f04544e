import type { SendingClientV3 } from "../../api/sending-client.js";
import type { LogStatus } from "../../api/contract/v4/logs.js";
import { ContractError, isNotFound } from "../../api/errors.js";
import { readTimestamp } from "../../api/timestamp.js";
import { type DeliveryLog, inOrder, isBounce, type LoggedMail, type LogWindow, readOptions } from "./delivery-log.js";

type Logs = SendingClientV3["logs"];

const SECOND_MS = 1000;
const LOG_ID = /^\d+\.[\da-f]+$/i;
/**
 * The search requires an end. Entries come from a clock that may be ahead of this machine's, so this is far ahead of
 * both.
 */
const END = Date.UTC(2100, 0, 1);
/** An answer with fewer entries than this was definitely not truncated. */
const UNCUT = 20;

/** Version 3 filters by time, by text and by whether there was any bounce; the other filters are applied here. */
export function deliveryLogV3(logs: Logs, domain: string): DeliveryLog {
  /**
   * The maximum size of a search result is not documented, so the search is repeated from its last second on, until
   * nothing new comes. If one second alone exceeds the maximum, the list has the rest.
   */
  async function* search(window: LogWindow, signal?: AbortSignal): AsyncGenerator<LoggedMail> {
    const { from = 0, until = END, sender, recipient, states } = window;
    const text = recipient ?? sender;
    const failures = states?.every((state) => isBounce(state) && state !== "REFUSED") ?? false;
    const seen = new Set<string>();
    const isNew = ({ id }: Entry): boolean => !seen.has(id) && seen.add(id).has(id);
    let after = Math.max(0, Math.floor(from / SECOND_MS));
    for (;;) {
      const filter = {
        after,
        before: Math.ceil(until / SECOND_MS),
        order: "asc",
        ...(text === undefined ? {} : { text }),
        filter: failures ? "failure" : "all",
      } as const;
      let answered = 0;
      let fresh = 0;
      let last = after;
      for await (const entry of logs.search(domain, filter, readOptions(signal))) {
        const mail = toMail(entry);
        answered += 1;
        last = Math.max(last, Math.floor(mail.at / SECOND_MS));
        if (!isNew(entry)) continue;
        fresh += 1;
        if (entry.transport === "api" && fits(mail, window)) yield mail;
      }
      if (answered < UNCUT) return;
      if (fresh === 0 && last === after) break;
      after = last;
    }
    for await (const entry of logs.list(domain, readOptions(signal))) {
      const mail = toMail(entry);
      if (mail.at < after * SECOND_MS) return;
      if (mail.at <= until && isNew(entry) && entry.transport === "api" && fits(mail, window)) yield mail;
    }
  }

  /** The filter for failures does not include refusals: if there are any, everything must be searched. */
  async function wantedStates({ states, from = 0 }: LogWindow, signal?: AbortSignal): Promise<LogWindow["states"]> {
    const bounces = states?.filter((state) => state !== "REFUSED" && isBounce(state)) ?? [];
    const isMixed = bounces.length > 0 && bounces.length + 1 === states?.length && states.includes("REFUSED");
    if (!isMixed) return states;
    const after = new Date(Math.max(0, from - SECOND_MS));
    const refused = await logs.count(domain, { status: "REFUSED", transport: "api", after }, signal && { signal });
    return refused === 0 ? bounces : states;
  }

  return {
    async *within(window, signal) {
      const states = await wantedStates(window, signal);
      yield* search({ ...window, ...(states && { states }) }, signal);
    },
    async get(id, signal) {
      try {
        return toMail(await logs.get(domain, id, readOptions(signal)));
      } catch (error) {
        // An invalid log id is treated as an alias, and answered with a list.
        if (isNotFound(error) || (error instanceof ContractError && !LOG_ID.test(id))) return undefined;
        throw error;
      }
    },
    async *newest(signal) {
      for await (const entry of logs.list(domain, readOptions(signal))) yield toMail(entry);
    },
    async latest(signal) {
      const {
        logs: [entry],
      } = await logs.page(domain, {}, readOptions(signal));
      return entry && toMail(entry).at;
    },
  };
}

function fits(mail: LoggedMail, { sender, recipient, states }: LogWindow): boolean {
  return (
    (sender === undefined || mail.sender.toLowerCase() === sender.toLowerCase()) &&
    (recipient === undefined || mail.recipient.toLowerCase() === recipient.toLowerCase()) &&
    (states === undefined || mail.events.some(({ status }: { status: LogStatus }) => states.includes(status)))
  );
}

type Entry = Awaited<ReturnType<Logs["get"]>>;

function toMail({ id, messageId, sender, recipient, subject, created, events }: Entry): LoggedMail {
  return {
    id,
    messageId,
    sender: sender.email,
    recipient: recipient.email,
    subject,
    at: readTimestamp(created).getTime(),
    events: inOrder(events.map(({ created: at, ...event }) => ({ ...event, at: readTimestamp(at).getTime() }))),
  };
}
