import { ConfigurationError, LettershopError } from "../../errors.js";
import type { Answer } from "./protocol.js";

/** An error from the compiler process, with the message that the command itself would have shown. */
export class CompilerFailure extends LettershopError {
  override readonly name = "CompilerFailure";
  readonly code: string;

  constructor({ code, message, hint }: Answer & { kind: "failed" }) {
    super(message, hint === undefined ? {} : { hint });
    this.code = code;
  }
}

/** The command was interrupted by Ctrl-C or SIGTERM. */
export class InterruptedError extends LettershopError {
  override readonly name = "InterruptedError";
  readonly code = "aborted";

  constructor(message = "Interrupted before the templates were compiled.") {
    super(message);
  }
}

/** The compiler process sent something that the compiler never writes. */
export function forged(cause: unknown): ConfigurationError {
  return new ConfigurationError("Project code tampered with the compiler's output.", {
    cause,
    hint: "None of the output is used. Look for code in the templates or the configuration that writes to open file descriptors.",
  });
}
