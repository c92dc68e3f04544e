import { isRateLimited } from "../../../api/errors.js";
import type { SyncEvent } from "../../../sync/events.js";
import { type Operation, operationsOf, type Plan } from "../../../sync/plan/plan.js";
import { requestsFor, secondsFor } from "../../../sync/plan/requests.js";
import { type Output, visible } from "../../output.js";
import { durationInWords } from "./phrases.js";

interface ProgressOptions {
  readonly plan?: Pick<Plan, "steps">;
  /** An endpoint's limit in requests per minute, if the service has reported it. */
  readonly limit?: (endpoint: string) => number | undefined;
  /** The current time in ms. Default: `Date.now`. */
  readonly now?: () => number;
}

type Position = Pick<Extract<SyncEvent, { kind: "read" }>, "done" | "total">;

/** Interval of progress messages for reading if there is no terminal, in ms. */
const QUIET_MS = 5000;
const BAR = 24;

/**
 * Reports the progress of sync on standard error: on a terminal, a bar with counts and the remaining time; elsewhere, a line per
 * operation, and one every few seconds while reading. Failures are always printed on their own line.
 */
export function planProgress(output: Output, { plan, limit = () => undefined, now = Date.now }: ProgressOptions = {}) {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let startedAt: number | undefined;
  let waitingUntil = Number.NEGATIVE_INFINITY;
  const operations = plan === undefined ? [] : operationsOf(plan);
  const left = ({ done, total }: Position): string => {
    const elapsed = (now() - (startedAt ??= now())) / 1000;
    const estimate = secondsFor(requestsFor(operations, new Set(operations.map(({ name }) => name)), limit));
    // If no rate limit slows it down, assume that the speed stays the same.
    const seconds = estimate > elapsed ? estimate - elapsed : done === 0 ? 0 : (elapsed / done) * (total - done);
    return seconds < 1 ? "" : `, about ${durationInWords(seconds)} left`;
  };
  const note = (text: string): void => output.note(visible(text));

  const onEvent = (event: SyncEvent): void => {
    switch (event.kind) {
      case "held":
        return note(`Another sync is running (process ${event.holder.pid}). Waiting for it to end.`);
      case "leased":
        return note("Another machine is syncing this environment. Waiting for it to end.");
      case "waiting": {
        // Report several requests that wait for the same moment only once.
        const until = now() + event.seconds * 1000;
        if (until < waitingUntil + 1000) return;
        waitingUntil = until;
        return note(waitInWords(event));
      }
      case "read":
        if (output.isLive) return output.progress(`${bar(event)} read`);
        if (event.done < event.total && now() - reportedAt < QUIET_MS) return;
        reportedAt = now();
        return note(`${event.done} of ${event.total} templates read`);
      case "started":
        return output.progress(`${bar(event)} ${visible(nameOf(event.operation))}${left(event)}`);
      case "applied":
      case "moved":
      case "failed": {
        const at = `[${event.done}/${event.total}] ${event.operation.kind} ${nameOf(event.operation)}`;
        if (event.kind === "failed") note(`${at} failed: ${event.error.message}`);
        else if (event.kind === "moved") note(`${at}: left alone, because it changed on the service`);
        else if (!output.isLive) note(event.unwritten ? `${at}: already there` : at);
        return output.progress(`${bar(event)}${left(event)}`);
      }
    }
  };
  const done = (): void => output.progress();
  return { onEvent, done };
}

function waitInWords({ seconds, error }: Extract<SyncEvent, { kind: "waiting" }>): string {
  const time = durationInWords(seconds);
  if (error === undefined || isRateLimited(error)) return `The service's rate limit is reached. Continuing in ${time}.`;
  return `Retrying in ${time}: ${error.message}`;
}

function bar({ done, total }: Position): string {
  const full = total === 0 ? BAR : Math.floor((done / total) * BAR);
  return `${"█".repeat(full)}${"░".repeat(BAR - full)} ${done}/${total}`;
}

function nameOf(operation: Operation): string {
  return operation.kind === "rename" ? `${operation.name} → ${operation.to}` : operation.name;
}
