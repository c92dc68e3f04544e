import type { Clock } from "../clock.js";
import type { LogEventRecord, NewLogEntry } from "../store/log-rows.js";
import { asError } from "../errors.js";
import type { Store } from "../store/store.js";
import { webhookBody } from "./webhook-body.js";

const SECOND_MS = 1_000;
const TIMEOUT_MS = 10 * SECOND_MS;
/** What is waited before each further attempt, on the service's clock; after the last one, the event is given up. */
const PAUSES_MS = [10, 60, 300, 1_800, 7_200].map((seconds) => seconds * SECOND_MS);

/**
 * Posts the events of a domain's mails to its webhook, in their order, one at a time for each domain. An event is kept
 * until the receiver has answered with 2xx or all attempts are used up; one that fails lets the others pass. Where the
 * service ends between an answer and noting it, the event is posted again: receivers know it by its id.
 */
export class Webhooks {
  readonly #store;
  readonly #clock;
  readonly #onError;
  readonly #underWay = new Map<number, Promise<void>>();
  readonly #stop = new AbortController();
  #nextDueAt: number;

  constructor(store: Store, clock: Clock, onError: (error: Error) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#onError = onError;
    this.#nextDueAt = store.webhookPosts.nextDueAt();
  }

  /** Notes events of an entry, for a domain that has a webhook. To be called in a transaction. */
  announce(domainId: number, entry: NewLogEntry, events: readonly LogEventRecord[]): void {
    const { webhookPosts } = this.#store;
    const domain = webhookPosts.announcedName(domainId);
    if (domain === undefined) return;
    const now = this.#clock.now();
    for (const event of events) webhookPosts.add(domainId, now, webhookBody(domain, entry, event));
    this.#nextDueAt = Math.min(this.#nextDueAt, now);
  }

  /** Posts what is due, beside everything else. Costs one comparison where nothing is. */
  wake(): void {
    const now = this.#clock.now();
    if (now < this.#nextDueAt || this.#stop.signal.aborted) return;
    this.#nextDueAt = Infinity;
    for (const domainId of this.#store.webhookPosts.dueDomains(now)) {
      if (!this.#underWay.has(domainId)) this.#underWay.set(domainId, this.#serve(domainId));
    }
  }

  /** Breaks off what is under way; it is posted when the service runs again. */
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
      const taken = post.webhook === null || (await this.#post(post.webhook, post.body));
      if (this.#stop.signal.aborted) return;
      const pause = PAUSES_MS[post.attempts];
      if (taken || pause === undefined) webhookPosts.delete(post.seq);
      else webhookPosts.postpone(post.seq, this.#clock.now() + pause);
    }
  }

  /** Whether the receiver took it. */
  async #post(url: string, body: string): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "lettershop" },
        body,
        redirect: "manual",
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      // Nobody there, no answer in time, or an address that cannot be asked: tried again like any other failure.
      return false;
    }
  }
}
