import type { PatienceOptions } from "../patience.js";
import type { RemoteTemplate } from "../remote.js";
import type { Outage } from "./outage.js";
import type { WriteRequest } from "./request.js";
import type { Run } from "./run.js";
import type { RemoteView } from "./view.js";

/** What all operations share while a plan is applied. */
export interface ApplyContext extends PatienceOptions {
  readonly signal: AbortSignal;
  readonly view: RemoteView;
  readonly run: Pick<Run, "begin" | "end" | "save">;
  readonly outage: Outage;
  /**
   * Sends a write. Once it is sent, the signal no longer ends it.
   *
   * @param mayLeave Called right before the client sends it; false prevents that.
   * @throws NotSent; the client's errors.
   */
  readonly send: (request: WriteRequest["send"], mayLeave: () => boolean) => Promise<RemoteTemplate | undefined>;
  /** Duration in ms of the slowest write that was answered. */
  readonly slowestWrite: () => number;
  /** Stops further operations from starting. */
  readonly halt: (error: Error) => void;
  /** Waits, even if the signal has aborted. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}
