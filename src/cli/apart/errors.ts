import { ConfigurationError, LettershopError } from "../../errors.js";
import type { Answer } from "./protocol.js";

/** What failed in the process that compiles, with the words that the command would have had for it. */
export class CompilerFailure extends LettershopError {
  override readonly name = "CompilerFailure";
  readonly code: string;

  constructor({ code, message, hint }: Answer & { kind: "failed" }) {
    super(message, hint === undefined ? {} : { hint });
    this.code = code;
  }
}

/** Ctrl-C, or a request to end. */
export class InterruptedError extends LettershopError {
  override readonly name = "InterruptedError";
  readonly code = "aborted";

  constructor(message = "Interrupted before the templates were compiled.") {
    super(message);
  }
}

/** What came is nothing that was asked for. */
export function forged(cause: unknown): ConfigurationError {
  return new ConfigurationError("The project's own code has meddled with what its templates compile to.", {
    cause,
    hint: "Nothing of it is used. Look for code in the templates or the configuration that writes to open files.",
  });
}
