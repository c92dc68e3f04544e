import type { LogEntryV3, LogEventV3 } from "../../api/contract/v3/logs.js";
import type { ServiceClock } from "../clock.js";
import { asError } from "../../errors.js";
import { timeLimit } from "../../time-limit.js";
import type { LogEventRecord, NewLogEntry } from "../store/log-rows.js";
import type { Store } from "../store/store.js";
import { logEntryV3, logEventV3 } from "../v3/records.js";

/** The body that is posted to a webhook, which the documents leave open: the event and the log entry at that time. */
export interface WebhookBody {
  readonly domain: string;
  readonly event: LogEventV3;
  readonly log: LogEntryV3;
}

/** The body for one event, as JSON. */
export function webhookBody(domain: string, entry: NewLogEntry, event: LogEventRecord): string {
  const events = entry.events.slice(0, entry.events.findIndex(({ id }) => id === event.id) + 1);
  const body: WebhookBody = { domain, event: logEventV3(event), log: logEntryV3({ ...entry, events }) };
  return JSON.stringify(body);
}

const SECOND_MS = 1_000;
export const TIMEOUT_MS = 10 * SECOND_MS;
/** Delays before each further attempt, by the service's clock. After the last attempt the event is dropped. */
const PAUSES_MS = [10, 60, 300, 1_800, 7_200].map((seconds) => seconds * SECOND_MS);

/** Whether a receiver took what was posted. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Posts JSON and resolves to the response's status. A user name and password in the URL are sent as an Authorization
 * header. Redirects are not followed.
 *
 * @throws TimeoutError after ten seconds; any other error if there is no response.
 */
export async function postJson(
  address: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number> {
  const url = new URL(address);
  const login = `${decoded(url.username)}:${decoded(url.password)}`;
  [url.username, url.password] = ["", ""];
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "lettershop",
      ...(login !== ":" && { authorization: `Basic ${Buffer.from(login).toString("base64")}` }),
      ...headers,
    },
    body,
    redirect: "manual",
    signal: timeLimit(TIMEOUT_MS, signal),
  });
  await response.body?.cancel();
  return response.status;
}

/** Without percent-encoding; a `%` that does not start any is itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Posts the events of a domain's emails to its webhook, in order and one at a time per domain. An event is kept until
 * the receiver answers with 2xx or all attempts are used up; a failing event does not hold up the others. If the
 * service stops between a response and recording it, the event is posted again. Receivers recognise it by its id.
 */
export class Webhooks {
  readonly #store;
  readonly #clock;
  readonly #onError;
  readonly #underWay = new Map<number, Promise<void>>();
  readonly #stop = new AbortController();
  #nextDueAt: number;

  constructor(store: Store, clock: ServiceClock, onError: (error: Error) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#onError = onError;
    this.#nextDueAt = store.webhookPosts.nextDueAt();
  }

  /** Queues events of an entry if its domain has a webhook. Must be called in a transaction. */
  announce(domainId: number, entry: NewLogEntry, events: readonly LogEventRecord[]): void {
    const { webhookPosts } = this.#store;
    const domain = webhookPosts.announcedName(domainId);
    if (domain === undefined) return;
    const now = this.#clock.now();
    for (const event of events) webhookPosts.add(domainId, now, webhookBody(domain, entry, event));
    this.#nextDueAt = Math.min(this.#nextDueAt, now);
  }

  /** Posts due events in the background. Costs one comparison if there are none. */
  wake(): void {
    const now = this.#clock.now();
    if (now < this.#nextDueAt || this.#stop.signal.aborted) return;
    this.#nextDueAt = Infinity;
    for (const domainId of this.#store.webhookPosts.dueDomains(now)) {
      if (!this.#underWay.has(domainId)) this.#underWay.set(domainId, this.#serve(domainId));
    }
  }

  /** Cancels running requests. Their events are posted when the service runs again. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#underWay.values());
  }

  async #serve(domainId: number): Promise<void> {
    try {
      await this.#postAll(domainId);
    } catch (error) {
      this.#onError(asError(error));
    }
    this.#underWay.delete(domainId);
    if (this.#stop.signal.aborted) return;
    this.#nextDueAt = this.#store.webhookPosts.nextDueAt();
    this.wake();
  }

  async #postAll(domainId: number): Promise<void> {
    const { webhookPosts } = this.#store;
    for (;;) {
      const post = webhookPosts.next(domainId, this.#clock.now());
      if (!post) return;
      const startedAt = this.#clock.now();
      const taken = post.webhook === null || (await this.#post(post.webhook, post.body));
      if (this.#stop.signal.aborted) return;
      const pause = PAUSES_MS[post.attempts];
      if (taken || pause === undefined) webhookPosts.delete(post.seq);
      else webhookPosts.postpone(post.seq, startedAt + pause);
    }
  }

  /** Whether the receiver accepted the event. */
  async #post(url: string, body: string): Promise<boolean> {
    try {
      return isSuccess(await postJson(url, body, {}, this.#stop.signal));
    } catch {
      // No server, a timeout or an invalid URL: retried like any other failure.
      return false;
    }
  }
}
