import { systemClock } from "../../send/clock.js";
import type { StoredMessage } from "../../send/outbox/store.js";
import { targetOf } from "../../send/outbox/target.js";
import { memoryStore } from "../../send/store/memory.js";
import type { MailStore } from "../../send/store/store.js";
import { deliveryLogOf, type LoggedMail } from "../../send/tracking/delivery-log.js";
import { type MessageStatus, statusOf } from "../../send/tracking/message-status.js";
import { bare, createRecent } from "../../send/tracking/recent.js";
import { createTracking } from "../../send/tracking/tracking.js";
import type { Target } from "../target.js";

/** What the delivery log and the outbox have of one message. */
export interface TracedMessage {
  /** When it began: milliseconds since 1970. */
  readonly at: number;
  readonly status: MessageStatus;
  /** Where it came out of the outbox. */
  readonly message?: StoredMessage;
}

interface Places {
  readonly target: Target;
  /** Absent where none is named. */
  readonly store?: MailStore;
  readonly signal: AbortSignal;
}

const LOG_DELAY_MS = 60_000;
/** Messages of the outbox that are looked at for one address. */
const OUTBOX_MAX = 1000;

/**
 * One message, by a log id, a Message-ID or an id of the outbox.
 *
 * @throws {MessageNotFoundError} Neither place knows it.
 */
export async function traceMessage(id: string, { target, store, signal }: Places): Promise<TracedMessage> {
  const { environment } = target;
  const tracking = createTracking({
    environment,
    clock: systemClock,
    closing: signal,
    publish: () => undefined,
    recent: createRecent(),
    store: async () => store ?? memoryStore(systemClock),
    suppress: false,
    logDelayMs: LOG_DELAY_MS,
  });
  try {
    const status = await tracking.status(id);
    const where = targetOf(environment.url, environment.domain);
    const [listed] = (await store?.outbox?.list(where, { sentId: status.messageId ?? id, limit: 1 })) ?? [];
    const message = await store?.outbox?.get(where, listed?.id ?? id);
    return traced(status, message);
  } finally {
    await tracking.close();
  }
}

/** All mail to an address, the oldest first. */
export async function traceAddress(
  email: string,
  since: Date,
  { target, store, signal }: Places,
): Promise<TracedMessage[]> {
  const { environment, version, client } = target;
  const { domain, url } = environment;
  const log = deliveryLogOf(version === "v3" ? { version, client, domain } : { version, client, domain });
  const mails: LoggedMail[] = [];
  for await (const mail of log.within({ recipient: email, from: since.getTime() }, signal)) mails.push(mail);

  const messages = await inOutbox(email, since, targetOf(url, domain), store);
  const bySent = new Map(messages.map((message) => [bare(message.sent?.messageId ?? message.id), message]));
  const fromLog = mails.map((mail) => {
    const message = bySent.get(bare(mail.messageId));
    bySent.delete(bare(mail.messageId));
    return traced(statusOf([mail], { id: mail.id, expected: 1, outbox: message?.state }), message);
  });
  const notInLog = [...bySent.values()].map((message) => traced(withoutLog(message), message));
  return [...fromLog, ...notInLog].toSorted((a, b) => a.at - b.at);
}

async function inOutbox(
  recipient: string,
  since: Date,
  target: string,
  store: MailStore | undefined,
): Promise<StoredMessage[]> {
  const { outbox } = store ?? {};
  if (outbox === undefined) return [];
  const listed = await outbox.list(target, { recipient, since: since.getTime(), limit: OUTBOX_MAX });
  return Promise.all(listed.map(async (message) => (await outbox.get(target, message.id)) ?? message));
}

function withoutLog({ id, state, sent }: StoredMessage): MessageStatus {
  return {
    id,
    state: sent === undefined ? "unsent" : "accepted",
    meaning: sent === undefined ? state : "accepted; the delivery log does not show it",
    ...(sent === undefined ? {} : { messageId: sent.messageId }),
    outbox: state,
    recipients: [],
  };
}

function traced(status: MessageStatus, message: StoredMessage | undefined): TracedMessage {
  const times = status.recipients.flatMap(({ events }) => events.map(({ at }) => at.getTime()));
  const at = Math.min(...times, message?.queuedAt ?? Number.POSITIVE_INFINITY);
  return { at: Number.isFinite(at) ? at : 0, status, ...(message === undefined ? {} : { message }) };
}
