import { SENDS_PER_MINUTE } from "../api/limits.js";
import type { Environment } from "../project/environment.js";
import type { RegistryEntry } from "../project/registry-types.js";
import type { Clock } from "./clock.js";
import type { MailerParts } from "./compose.js";
import { publish } from "./events/publish.js";
import type { MailerOptions } from "./options.js";

type Options = Pick<MailerOptions<object>, "store" | "sendsPerMinute" | "timeoutMs" | "reconcile"> & {
  readonly clock: Clock;
  readonly templates: ReadonlyMap<string, RegistryEntry>;
};

/** The parts of a mailer that really sends. */
export function serviceParts(options: Options, environment: Environment): MailerParts {
  const { clock, store, templates, sendsPerMinute = SENDS_PER_MINUTE, timeoutMs, reconcile = {} } = options;
  const { url, apiKey, allowInsecure, domain, version, searchedFrom } = environment;
  return {
    environment,
    clock,
    hasOutbox: typeof store === "string" || store?.outbox !== undefined,
    async openStore() {
      if (store === undefined) return (await import("./sending.js")).memoryStore(clock);
      const { guarded } = await import("./store/guarded.js");
      if (typeof store === "string")
        return guarded(await (await import("./store/sqlite.js")).openMailStore(store, clock));
      // A custom store is closed by its owner.
      return guarded({ ...store, close: async () => undefined });
    },
    async createRoute(opened) {
      const { accountOf, createCourier, createPace, createSendingClient, planSource } = await import("./sending.js");
      const pace = createPace({
        account: accountOf({ url, apiKey }),
        store: opened.pace,
        sendsPerMinute,
        clock,
        publish,
        plan: planSource(createSendingClient({ apiKey, baseUrl: url, allowInsecure, version, clock }), domain),
      });
      const courier = createCourier({
        url,
        apiKey,
        allowInsecure,
        version,
        environment: environment.name,
        searchedFrom,
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
