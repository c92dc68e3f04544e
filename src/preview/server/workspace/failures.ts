import type { Diagnostic } from "../../../diagnostic.js";
import { LettershopError } from "../../../errors.js";
import type { ModuleError } from "../../../modules/module-error.js";

/** An error as a finding: what keeps the page from showing something is said there, and ends nothing. */
export function diagnosticOf(error: unknown, template?: string): Diagnostic {
  const named = template === undefined ? {} : { template };
  if (isModuleError(error)) return error.toDiagnostic("module", template);
  if (error instanceof LettershopError) {
    const { code, message, hint } = error;
    return {
      rule: code.replaceAll("_", "-"),
      severity: "error",
      message,
      ...named,
      ...(hint !== undefined && { hint }),
    };
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { rule: "defect", severity: "error", message: `Unexpected error in lettershop: ${trace}`, ...named };
}

function isModuleError(error: unknown): error is ModuleError {
  return error instanceof LettershopError && error.code === "module" && "toDiagnostic" in error;
}
