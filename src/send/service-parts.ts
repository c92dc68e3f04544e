import { SENDS_PER_MINUTE } from "../api/limits.js";
import type { Environment } from "../config/environment.js";
import type { RegistryEntry } from "../template/registry.js";
import type { Clock } from "./clock.js";
import type { MailerParts } from "./compose.js";
import { publish } from "./events/publish.js";
import type { MailerOptions } from "./options.js";

type Options = Pick<MailerOptions<object>, "store" | "sendsPerMinute" | "timeoutMs" | "reconcile"> & {
  readonly clock: Clock;
  readonly templates: ReadonlyMap<string, RegistryEntry>;
};

/** What a mailer stands on that sends for real. */
export function serviceParts(options: Options, environment: Environment): MailerParts {
  const { clock, store, templates, sendsPerMinute = SENDS_PER_MINUTE, timeoutMs, reconcile = {} } = options;
  const { url, apiKey, allowInsecure, domain, version } = environment;
  return {
    environment,
    clock,
    hasOutbox: typeof store === "string" || store?.outbox !== undefined,
    async openStore() {
      if (typeof store === "string") return (await import("./store/sqlite.js")).openMailStore(store, clock);
      if (store === undefined) return (await import("./store/memory.js")).memoryStore(clock);
      // It is its owner's to close.
      return { ...store, close: async () => undefined };
    },
    async createRoute(opened) {
      // One after another: Jest mixes up imports that go on at once.
      const { createClient } = await import("../api/client.js");
      const { createCourier } = await import("./delivery/create-courier.js");
      const { createPace } = await import("./pace/pace.js");
      const { accountOf } = await import("./pace/account.js");
      const { planSource } = await import("./pace/plan-source.js");
      const pace = createPace({
        account: accountOf({ url, apiKey }),
        store: opened.pace,
        sendsPerMinute,
        clock,
        publish,
        plan: planSource(createClient({ apiKey, baseUrl: url, allowInsecure, version, clock }), domain),
      });
      const courier = createCourier({
        url,
        apiKey,
        allowInsecure,
        version,
        domain,
        sendsPerMinute,
        ledger: opened.ledger,
        pace,
        clock,
        publish,
        ...reconcile,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        subjectOf: (template) => templates.get(template)?.subject,
      });
      return { courier, pace };
    },
  };
}
