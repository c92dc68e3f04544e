import type { Pattern } from "./pattern-protocol.js";

/** Checks whether patterns compile: a worker, or a worker with a time limit per request. */
export interface PatternChecks {
  /** Why the pattern does not compile. Undefined if it does. The time this takes is added to `time`. */
  check(pattern: Pattern, time?: ProcessorTime): Promise<string | undefined>;
}

/** Total time of tasks, in ms of CPU time; waiting is not included. */
export interface ProcessorTime {
  takenMs: number;
}

/** Maximum length of a regular expression or a CEL expression, in characters. */
const PATTERN_MAX = 4_096;

/** Maximum time in ms for all patterns of one request, so that a batch of slow ones cannot keep others waiting. */
const REQUEST_MS = 5_000;

/** Why a pattern is not valid, as text that follows the field's name. Undefined if it is valid. */
export async function patternRefusal(pattern: Pattern, patterns: PatternChecks): Promise<string | undefined> {
  const source = pattern.type === "cel" ? pattern.config.expression : pattern.config.regex;
  if (source.trim() === "") return "is required";
  if (source.length > PATTERN_MAX) return `may have at most ${PATTERN_MAX} characters`;
  const reason = await patterns.check(pattern);
  return reason === undefined ? undefined : `does not compile: ${reason}`;
}

/** The same checks, limited to the time of a request. */
export function withinRequest(patterns: PatternChecks): PatternChecks {
  const time = { takenMs: 0 };
  return {
    async check(pattern) {
      if (time.takenMs > REQUEST_MS) {
        return `earlier patterns have used up the ${REQUEST_MS / 1_000} s that a request may take`;
      }
      return await patterns.check(pattern, time);
    },
  };
}
