import { backoff } from "../../api/calls/timing.js";
import { type Clock, sleep } from "../clock.js";
import type { Publish } from "../events.js";
import { StoreError } from "../errors.js";
import { STORE_BACKOFF } from "./context.js";
import type { Outbox, Worker, WorkOptions } from "./outbox.js";

interface LateWorkerOptions {
  readonly open: () => Promise<Outbox>;
  readonly clock: Clock;
  readonly publish: Publish;
  /** Ends the waiting for the outbox. */
  readonly closing: AbortSignal;
}

/**
 * A worker that exists before its outbox is open. If the store can't be used, it reports that and tries again, as a
 * running worker does.
 */
export function lateWorker(
  options: WorkOptions | undefined,
  { open, clock, publish, closing }: LateWorkerOptions,
): Worker {
  const stopping = new AbortController();
  const ended = AbortSignal.any([closing, stopping.signal, ...(options?.signal ? [options.signal] : [])]);

  const start = async (): Promise<Worker | undefined> => {
    for (let tries = 1; !ended.aborted; tries += 1) {
      try {
        return (await open()).work(options);
      } catch (error) {
        if (error instanceof StoreError) publish({ type: "outbox-trouble", reason: error.message });
        else if (!closing.aborted) throw error;
      }
      await sleep(clock, backoff(tries, STORE_BACKOFF), ended).catch(() => undefined);
    }
    return undefined;
  };

  const starting = start();
  return {
    async stop() {
      stopping.abort();
      await (await starting)?.stop();
    },
    idle: async () => (await starting)?.idle(),
    done: starting.then((worker) => worker?.done),
  };
}
