import type { Problem } from "../../src/send/errors.js";
import { collectProblems, type ReportProblem } from "../../src/send/report.js";

/** Runs a check and returns its result together with the problems it reported. */
export function check<Value>(run: (report: ReportProblem) => Value): { value: Value; problems: readonly Problem[] } {
  const { problems, report } = collectProblems();
  return { value: run(report), problems };
}

/** `path: message` of each problem, for short expectations. */
export function lines(problems: readonly Problem[]): string[] {
  return problems.map(({ path, message }) => `${path}: ${message}`);
}
