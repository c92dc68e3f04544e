import { LettershopError } from "../../errors.js";

/** The command was interrupted by Ctrl-C or SIGTERM. */
export class InterruptedError extends LettershopError {
  override readonly name = "InterruptedError";
  readonly code = "aborted";

  constructor(message = "Interrupted before the templates were compiled.") {
    super(message);
  }
}
