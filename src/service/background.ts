import { setTimeout as sleep } from "node:timers/promises";
import { asError } from "../errors.js";
import type { ServiceContext } from "./context.js";

/** Interval in ms, by the machine's clock, at which due work is started even if no request arrives. */
const DUE_EVERY_MS = 250;

type DueContext = Pick<ServiceContext, "deliveries" | "webhooks" | "inbound">;

/** Starts what is due by the service's clock. Costs a few comparisons if nothing is. */
export function processDue({ deliveries, webhooks, inbound }: DueContext): void {
  deliveries.catchUp();
  webhooks.wake();
  inbound.wake();
}

type LogContext = Pick<ServiceContext, "store" | "logSearch" | "filing">;

/** Processes what is due and maintains the log, independently of requests. */
export function runInBackground(
  context: DueContext & LogContext,
  onError: (error: Error) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const tick = () => {
    try {
      processDue(context);
    } catch (error) {
      onError(asError(error));
    }
  };
  const timer = setInterval(tick, DUE_EVERY_MS).unref();
  const maintenance = maintainLog(context, onError, stopping.signal);
  tick();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await maintenance;
    },
  };
}

/** Maximum number of entries that are deleted before other work gets its turn. */
const STEP = 200;
/** Pause in ms, by the machine's clock. After it, a service clock that was advanced is noticed. */
const PAUSE_MS = 1_000;

/** Deletes expired entries step by step, and indexes new entries before someone searches. No response depends on it. */
async function maintainLog(
  { store, logSearch, filing }: LogContext,
  onError: (error: Error) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let isBusy = false;
    try {
      const { entries, files } = store.transaction(() => store.logs.deleteExpired(STEP));
      logSearch.forgetExpired(entries);
      if (files.length > 0) await filing.forget(files);
      await logSearch.catchUp();
      isBusy = entries === STEP;
    } catch (error) {
      onError(asError(error));
    }
    await sleep(isBusy ? 0 : PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
