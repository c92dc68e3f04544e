import { asError } from "../errors.js";
import type { Deliveries } from "./deliveries.js";
import type { Webhooks } from "./webhooks.js";

/** How late an event is that nobody asks for, in the machine's time. */
const LOOK_EVERY_MS = 250;

/** Lets happen what is due also where no request comes. Returns what ends it. */
export function lookRegularly(
  deliveries: Deliveries,
  webhooks: Webhooks,
  onError: (error: Error) => void,
): { stop(): void } {
  const timer = setInterval(() => {
    try {
      deliveries.catchUp();
      webhooks.wake();
    } catch (error) {
      onError(asError(error));
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
