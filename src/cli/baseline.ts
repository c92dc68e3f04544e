import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { type CheckedState, compareStates, lineReader } from "./base-state.js";
import type { Diagnostic } from "../diagnostic.js";
import { ConfigurationError } from "../errors.js";
import type { CheckedProjectState } from "./check-project.js";
import { plural, relativeTo } from "./report/check-report.js";

/** Diagnostics that a team has postponed: a file in the project's folder, to be committed. */
export const BASELINE_FILE = "templates.baseline.json";

const baselineSchema = z.strictObject({
  version: z.literal(1),
  findings: z.array(
    z.strictObject({
      rule: z.string(),
      template: z.string().optional(),
      /** Relative to the project's folder, with `/`. */
      file: z.string().optional(),
      message: z.string(),
      /** A hash of the reported line, because the line itself may be long or private. */
      line: z.string().optional(),
    }),
  ),
});

/**
 * Reads the project's baseline; undefined if there is none.
 *
 * @throws {ConfigurationError} The file can't be read or is not a baseline.
 */
export function readBaseline(folder: string) {
  const file = path.join(folder, BASELINE_FILE);
  const text = readText(file);
  if (text === undefined) return undefined;
  const findings = parse(text, file);
  const before: CheckedState = {
    diagnostics: findings.map(({ rule, template, file: name, message, line }, index): Diagnostic => ({
      rule,
      severity: "info",
      message,
      ...(template !== undefined && { template }),
      ...(name !== undefined && { at: { file: name, ...(line !== undefined && { line: index }) } }),
    })),
    nameOf: (name) => name,
    lineOf: (_, index) => findings[index]?.line,
  };
  return {
    /** The diagnostics that are not in the baseline, plus a note if the baseline lists some that no longer exist. */
    newIn({ diagnostics }: CheckedProjectState, isPartial: boolean): readonly Diagnostic[] {
      const { added, gone } = compareStates(stateNow(diagnostics, folder), before);
      const isStale = !isPartial && gone.length > 0 && !diagnostics.some(({ rule }) => rule === "rule-failed");
      return isStale ? [...added, staleNote(gone.length, file)] : added;
    },
  };
}

/**
 * Writes the current diagnostics to the baseline, except for those that prevent templates from compiling.
 *
 * @returns The number of diagnostics in the baseline.
 */
export function writeBaseline({ diagnostics, results }: CheckedProjectState, folder: string): number {
  const compiled = new Set(results.flatMap(({ name, compiled: bodies }) => (bodies ? [name] : [])));
  const { nameOf, lineOf } = stateNow(diagnostics, folder);
  const findings = diagnostics
    .filter(({ template, severity }) => (template === undefined ? severity !== "error" : compiled.has(template)))
    .map(({ rule, template, at, message }) => ({
      rule,
      template,
      file: at && nameOf(at.file),
      message,
      line: at?.line === undefined ? undefined : lineOf(at.file, at.line),
    }));
  writeFileSync(path.join(folder, BASELINE_FILE), `${JSON.stringify({ version: 1, findings }, null, 2)}\n`);
  return findings.length;
}

function stateNow(diagnostics: readonly Diagnostic[], folder: string): CheckedState {
  const lineOf = lineReader();
  return {
    diagnostics,
    nameOf: (file) => relativeTo(folder, file),
    lineOf: (file, line) => {
      const text = lineOf(file, line);
      return text && createHash("sha256").update(text.trim()).digest("hex").slice(0, 16);
    },
  };
}

function staleNote(count: number, file: string): Diagnostic {
  return {
    rule: "unused-silence",
    severity: "info",
    message: `${plural(count, "finding")} in the baseline no longer ${count === 1 ? "exists" : "exist"}.`,
    at: { file },
    hint: "Run: templates check --write-baseline",
  };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new ConfigurationError(`Can't read ${file}.`, { cause: error });
  }
}

function parse(text: string, file: string): z.infer<typeof baselineSchema>["findings"] {
  try {
    return baselineSchema.parse(JSON.parse(text)).findings;
  } catch (cause) {
    throw new ConfigurationError(`${file} is not a valid baseline.`, {
      cause,
      hint: "Restore it, or delete it and run: templates check --write-baseline",
    });
  }
}
