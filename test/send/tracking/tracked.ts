import { onTestFinished } from "vitest";
import { createClient } from "../../../src/api/client.js";
import type { OutboundEmailBody } from "../../../src/api/contract/v4/emails.js";
import type { SendEvent } from "../../../src/send/events.js";
import { type Clock, systemClock } from "../../../src/send/clock.js";
import { type Sent, RecentSends } from "../../../src/send/parcel.js";
import { memoryStore } from "../../../src/send/store/memory.js";
import type { MailStore } from "../../../src/send/store/store.js";
import { createTracking, type Tracking, type TrackingOptions } from "../../../src/send/tracking/tracking.js";
import { type RunningService, startService } from "../../../src/service/index.js";

export interface Tracked {
  readonly service: RunningService;
  readonly tracking: Tracking;
  readonly recent: RecentSends;
  readonly store: MailStore;
  readonly events: readonly SendEvent[];
  /** Sends without the mailer, as another process does. */
  readonly send: (to: string | readonly string[], email?: Partial<OutboundEmailBody>) => Promise<Sent>;
  /** Another process's tracking of the same service. */
  readonly track: (options?: Partial<TrackingOptions>) => Tracking;
}

/** The local service, and tracking of its messages. */
export async function tracked(options: Partial<TrackingOptions> = {}, version: "v4" | "v3" = "v4"): Promise<Tracked> {
  const service = await startService({ data: ":memory:", port: 0, limits: false });
  onTestFinished(() => service.close());
  const client = createClient({ apiKey: service.apiKey, baseUrl: service.url });
  onTestFinished(() => client.close());
  const clock: Clock = options.clock ?? systemClock;
  const store = memoryStore(clock);
  const recent = new RecentSends();
  const events: SendEvent[] = [];
  const { url, apiKey, domain } = service;
  const track = (own: Partial<TrackingOptions> = {}) => {
    const closing = new AbortController();
    const tracking = createTracking({
      environment: { name: "test", url, apiKey, domain, version, namePrefix: "", nameSuffix: "" },
      clock,
      closing: closing.signal,
      publish: (event) => void events.push(event),
      recent,
      store: async () => store,
      suppress: false,
      logDelayMs: 60_000,
      ...options,
      ...own,
    });
    onTestFinished(async () => {
      closing.abort(new Error("The mailer is closed."));
      await tracking.close();
    });
    return tracking;
  };
  return {
    service,
    recent,
    store,
    events,
    track,
    tracking: track(),
    async send(to, email = {}) {
      const content = { from: "shop", to: [to].flat(), subject: "Your order", text: "Thanks", ...email };
      const { id, message_id } = await client.emails.send(domain, content);
      return { outcome: "accepted", id, messageId: message_id };
    },
  };
}
