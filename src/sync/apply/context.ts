import type { PatienceOptions } from "../patience.js";
import type { RemoteTemplate } from "../remote.js";
import type { Outage } from "./outage.js";
import type { WriteRequest } from "./request.js";
import type { Run } from "./run.js";
import type { RemoteView } from "./view.js";

/** What all operations of a plan share while it is applied. */
export interface ApplyContext extends PatienceOptions {
  readonly signal: AbortSignal;
  readonly view: RemoteView;
  readonly run: Pick<Run, "begin" | "end" | "save">;
  readonly outage: Outage;
  /**
   * Sends a write that is not ended by the signal any more once it has left.
   *
   * @param mayLeave Asked when the client lets it go.
   * @throws NotSent; the client's errors.
   */
  readonly send: (request: WriteRequest["send"], mayLeave: () => boolean) => Promise<RemoteTemplate | undefined>;
  /** Milliseconds that the slowest write took which was answered. */
  readonly slowestWrite: () => number;
  /** Lets nothing begin any more. */
  readonly halt: (error: Error) => void;
  /** Waits, also where the signal has aborted. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}
