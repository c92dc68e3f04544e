import { LettershopError } from "../../errors.js";

/**
 * An expression has no result.
 *
 * - `throws`: JavaScript would throw; the message is JavaScript's.
 * - `limit`: it takes too many steps, or a value becomes too large.
 * - `unknown`: it uses something that this version does not know, or that expressions must not use.
 */
export class ExpressionError extends LettershopError {
  override readonly name = "ExpressionError";
  override readonly code: "throws" | "limit" | "unknown";

  constructor(code: "throws" | "limit" | "unknown", message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
