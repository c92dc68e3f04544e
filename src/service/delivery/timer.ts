import { asError } from "../errors.js";
import type { Deliveries } from "./deliveries.js";
import type { Webhooks } from "./webhooks.js";

/** Maximum delay in ms, by the machine's clock, of an event if no request arrives. */
const LOOK_EVERY_MS = 250;

/** Processes due events even if no request arrives. Returns the function that stops it. */
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
