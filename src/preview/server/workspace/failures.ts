import type { Diagnostic } from "../../../diagnostic.js";
import { LettershopError } from "../../../errors.js";
import type { ModuleError } from "../../../process/module-error.js";

/** Turns an error into a finding, so that the page shows it and nothing stops. */
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
