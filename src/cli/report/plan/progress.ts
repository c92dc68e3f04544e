import { isRateLimited } from "../../../api/errors.js";
import type { OnSyncEvent, SyncEvent } from "../../../sync/events.js";
import { type Operation, operationsOf, type Plan } from "../../../sync/plan/plan.js";
import { requestsFor, secondsFor } from "../../../sync/plan/requests.js";
import type { Output } from "../../output.js";
import { durationInWords } from "./phrases.js";
import { visible } from "./visible.js";

/** What time left is told from. */
interface ProgressOptions {
  readonly plan?: Pick<Plan, "steps">;
  /** Requests a minute of an endpoint, where the service has told. */
  readonly limit?: (endpoint: string) => number | undefined;
  /** Milliseconds; default: the machine's clock. */
  readonly now?: () => number;
}

export interface PlanProgress {
  readonly onEvent: OnSyncEvent;
  /** Takes the bar away. */
  readonly done: () => void;
}

type Position = Pick<Extract<SyncEvent, { kind: "read" }>, "done" | "total">;

/** Where there is no terminal, reading tells how far it is once in so many milliseconds. */
const QUIET_MS = 5000;
const BAR = 24;

/**
 * Tells on standard error what sync does: on a terminal a bar with counts and the time left, elsewhere a line for each
 * operation that has ended, and for reading one every few seconds. What failed has a line on both.
 */
export function planProgress(
  output: Output,
  { plan, limit = () => undefined, now = Date.now }: ProgressOptions = {},
): PlanProgress {
  let toldAt = Number.NEGATIVE_INFINITY;
  let startedAt: number | undefined;
  let waitingUntil = Number.NEGATIVE_INFINITY;
  const operations = plan === undefined ? [] : operationsOf(plan);
  const left = ({ done, total }: Position): string => {
    const passed = (now() - (startedAt ??= now())) / 1000;
    const wanted = secondsFor(requestsFor(operations, new Set(operations.map(({ name }) => name)), limit));
    // Where no limit slows it down, it goes on as it went so far.
    const seconds = wanted > passed ? wanted - passed : done === 0 ? 0 : (passed / done) * (total - done);
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
        // Several requests that wait for the same moment are one wait.
        const until = now() + event.seconds * 1000;
        if (until < waitingUntil + 1000) return;
        waitingUntil = until;
        return note(waitInWords(event));
      }
      case "read":
        if (output.isLive) return output.progress(`${bar(event)} read`);
        if (event.done < event.total && now() - toldAt < QUIET_MS) return;
        toldAt = now();
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
  return { onEvent, done: () => output.progress() };
}

function waitInWords({ seconds, error }: Extract<SyncEvent, { kind: "waiting" }>): string {
  const time = durationInWords(seconds);
  if (error === undefined || isRateLimited(error)) return `The service's rate limit is reached. Continuing in ${time}.`;
  return `Trying again in ${time}: ${error.message}`;
}

function bar({ done, total }: Position): string {
  const full = total === 0 ? BAR : Math.floor((done / total) * BAR);
  return `${"█".repeat(full)}${"░".repeat(BAR - full)} ${done}/${total}`;
}

function nameOf(operation: Operation): string {
  return operation.kind === "rename" ? `${operation.name} → ${operation.to}` : operation.name;
}
