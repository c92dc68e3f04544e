import { processDue } from "./background.js";
import { advanceTo, notifyingClock } from "./clock.js";
import type { ServiceContext } from "./context.js";
import { createSettings } from "./control/settings.js";
import { Deliveries } from "./delivery/deliveries.js";
import { Webhooks } from "./delivery/webhooks.js";
import { DkimSigner } from "./dns/dkim.js";
import type { DataFolder } from "./folder.js";
import { Inbound, type InboundOptions } from "./inbound/inbound.js";
import { LogSearch } from "./logs/log-search.js";
import { Filing } from "./mail/filing.js";
import { MailReader } from "./mail/mail-reader.js";
import { Patterns } from "./patterns/patterns.js";
import { openStore } from "./store/store.js";

interface PartsOptions extends InboundOptions, Pick<ServiceContext, "clock" | "dns"> {
  /** Undefined: everything is lost when the service closes. */
  readonly folder: DataFolder | undefined;
}

/** The parts of a service, before it listens. */
export interface ServiceParts extends ServiceContext {
  /** Waits for deliveries and files in progress, ends the threads and closes the store. */
  close(): Promise<void>;
}

/** Opens the store and creates what works on it. The clock is moved to the latest time in the store if it is behind. */
export async function openParts({ folder, clock, dns, ...options }: PartsOptions): Promise<ServiceParts> {
  const settings = createSettings();
  const store = await openStore(folder?.databaseFile ?? ":memory:", clock, () => settings.get().logDelayMs);
  try {
    advanceTo(clock, store.time.newest());
    return createParts({ store, clock, settings, dns }, folder?.mailFolder, options);
  } catch (error) {
    store.close();
    throw error;
  }
}

function createParts(
  { clock: time, ...given }: Pick<ServiceContext, "store" | "clock" | "settings" | "dns">,
  mailFolder: string | undefined,
  options: InboundOptions,
): ServiceParts {
  const { store } = given;
  const clock = notifyingClock(time, () => {
    store.time.keep(time.now());
    processDue(parts);
  });
  const patterns = new Patterns();
  const reader = new MailReader();
  const signer = new DkimSigner(store);
  const filing = new Filing(store, mailFolder, { reader, signer }, options.onError);
  const logSearch = new LogSearch(store.logFeed);
  const webhooks = new Webhooks(store, clock, options.onError);
  const deliveries = new Deliveries(store, clock, webhooks);
  const context = { ...given, clock, patterns, reader, signer, filing, logSearch, webhooks, deliveries };
  const inbound = new Inbound(context, options);
  const parts: ServiceParts = {
    ...context,
    inbound,
    async close() {
      try {
        await inbound.close();
        await webhooks.stop();
        await filing.stop();
        await Promise.all([patterns.close(), reader.close()]);
        store.time.keep(clock.now());
      } finally {
        store.close();
      }
    },
  };
  return parts;
}
