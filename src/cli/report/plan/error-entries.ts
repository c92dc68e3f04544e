import { groupDiagnostics } from "../group.js";
import type { Diagnostic } from "../../../diagnostic.js";
import { placeOf } from "../diagnostics.js";
import type { ErrorEntry } from "./document.js";

/** The errors among diagnostics; identical errors of several templates are merged. */
export function errorEntries(diagnostics: readonly Diagnostic[], folder: string): ErrorEntry[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return groupDiagnostics(errors).map(({ message, at, templates }) => ({
    message,
    ...(at !== undefined && { place: placeOf(at, folder) }),
    templates,
  }));
}
