import type { Pattern } from "./pattern-protocol.js";

/** Who says whether a pattern compiles: a worker, or one with a time for all of a request. */
export interface PatternChecks {
  /** Why the pattern does not compile; undefined where it does. What that takes is added to the time. */
  check(pattern: Pattern, time?: ProcessorTime): Promise<string | undefined>;
}

/** What tasks have taken together, milliseconds; waiting for one's turn, or for the machine, is not in it. */
export interface ProcessorTime {
  takenMs: number;
}

/** The longest that a regular expression or a CEL expression may be: characters. */
const PATTERN_MAX = 4_096;

/** What all patterns of one request may take together: a batch of slow ones is no way to keep the others waiting. */
const REQUEST_MS = 5_000;

/** Why a rule cannot have this pattern, in words that follow the field's name; undefined where it can. */
export async function patternRefusal(pattern: Pattern, patterns: PatternChecks): Promise<string | undefined> {
  const source = pattern.type === "cel" ? pattern.config.expression : pattern.config.regex;
  if (source.trim() === "") return "is required";
  if (source.length > PATTERN_MAX) return `may have at most ${PATTERN_MAX} characters`;
  const reason = await patterns.check(pattern);
  return reason === undefined ? undefined : `does not compile: ${reason}`;
}

/** The same checks, as long as they have not taken up the time of a request. */
export function withinRequest(patterns: PatternChecks): PatternChecks {
  const time = { takenMs: 0 };
  return {
    async check(pattern) {
      if (time.takenMs > REQUEST_MS) {
        return `the patterns before it have taken up the ${REQUEST_MS / 1_000} s of a request`;
      }
      return await patterns.check(pattern, time);
    },
  };
}
