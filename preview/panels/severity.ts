import type { Severity } from "../../src/diagnostic.js";
import type { Problem } from "../../src/preview/contract.js";
import { severities } from "../state/counts.js";

export const bySeverity = (problems: readonly Problem[]): readonly Problem[] =>
  severities.flatMap((severity) => problems.filter((problem) => problem.severity === severity));

export const pluralNames: Readonly<Record<Severity, string>> = { error: "Errors", warning: "Warnings", info: "Notes" };
