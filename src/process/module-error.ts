import type { Diagnostic, SourcePosition } from "../diagnostic.js";
import { LettershopError } from "../errors.js";

/**
 * A user's module that can't be bundled, loaded or run: a syntax error, an unresolved import, an exception, an endless
 * loop.
 *
 * @example
 * try {
 *   await bundleModule("/app/templates/receipt/receipt.tsx");
 * } catch (error) {
 *   if (error instanceof ModuleError) diagnostics.push(...error.toDiagnostics("module", "receipt"));
 * }
 */
export class ModuleError extends LettershopError {
  override readonly name = "ModuleError";
  readonly code = "module";
  /** Other errors in the same bundle, by file and line. */
  readonly others: readonly ModuleError[];

  constructor(
    message: string,
    /** The position in the user's own files; without a line if only the file is known. */
    readonly at: SourcePosition,
    options?: { cause?: unknown; hint?: string; others?: readonly ModuleError[] },
  ) {
    super(message, options);
    this.others = options?.others ?? [];
  }

  /** One for this error, and one for each of the others. */
  toDiagnostics(rule: string, template?: string): [Diagnostic, ...Diagnostic[]] {
    return [this.toDiagnostic(rule, template), ...this.others.map((other) => other.toDiagnostic(rule, template))];
  }

  toDiagnostic(rule: string, template?: string): Diagnostic {
    return {
      rule,
      severity: "error",
      message: this.message,
      at: this.at,
      ...(template === undefined ? {} : { template }),
      ...(this.hint === undefined ? {} : { hint: this.hint }),
    };
  }
}
