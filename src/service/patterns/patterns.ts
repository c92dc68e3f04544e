import { BoundedThread, type ProcessorTime } from "../bounded-thread.js";
import type { PatternEvaluator } from "./pattern-worker.js";
import type { RuleKind } from "../../api/contract/v4/rules.js";

/** The type and configuration of a rule with a user-written pattern: a regular expression or CEL. */
export type Pattern = Extract<RuleKind, { type: "regex" | "cel" }>;

/** An email, as rules see it. */
export interface RoutedMessage {
  /** The sender's address in the envelope. */
  readonly sender: string;
  /** The recipient's address at the domain. */
  readonly recipient: string;
  readonly subject: string;
  /** The text body. */
  readonly body: string;
  /** By lower-case name. Of repeated headers, the first. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A task for the worker: compile the pattern and, if there is a message, match it. */
export interface PatternTask {
  readonly pattern: Pattern;
  readonly message?: RoutedMessage;
}

/** The result: whether it matched, or why that is unknown. */
export type PatternAnswer = { readonly matched: boolean } | { readonly reason: string };

/** Checks whether patterns compile: a worker, or a worker with a time limit per request. */
export interface PatternChecks {
  /** Why the pattern does not compile. Undefined if it does. The time this takes is added to `time`. */
  check(pattern: Pattern, time?: ProcessorTime): Promise<string | undefined>;
}

/** Maximum length of a regular expression or a CEL expression, in characters. */
const PATTERN_MAX = 4_096;

/** Maximum time in ms for all patterns of one request or email, so that a batch of slow ones cannot keep others waiting. */
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

/** Whether a pattern matches a message, or why that is unknown. */
export type Match = (pattern: Pattern, message: RoutedMessage) => Promise<PatternAnswer>;

/** Matches the patterns of one email, limited to the time of a request. */
export function limitedMatch(patterns: Patterns): Match {
  const time = { takenMs: 0 };
  return async (pattern, message) => {
    if (time.takenMs > REQUEST_MS)
      return { reason: `earlier patterns have used up the ${REQUEST_MS / 1_000} s that an email may take` };
    return await patterns.match(pattern, message, time);
  };
}

/** Limits in ms of CPU time. Normal patterns take a hundredth of this. */
const COMPILE_MS = 500;
/** A match may have to compile its pattern again. */
const MATCH_MS = 1_000;
const MEMORY_MB = 256;

/**
 * Compiles and evaluates users' patterns in a worker, so that they take bounded time and memory and nothing else waits
 * for them.
 *
 * @example
 * const patterns = new Patterns();
 * await patterns.check({ type: "cel", config: { expression: "1 +", forward } }); // "line 1, column 3: …"
 * await patterns.close();
 */
export class Patterns {
  readonly #thread = new BoundedThread<PatternEvaluator>(
    new URL("../patterns/pattern-worker.js", import.meta.url),
    "The thread that evaluates patterns",
    MEMORY_MB,
  );

  /** Why the pattern does not compile. Undefined if it does. */
  async check(pattern: Pattern, time?: ProcessorTime): Promise<string | undefined> {
    const answer = await this.#run({ pattern }, COMPILE_MS, time);
    return "reason" in answer ? answer.reason : undefined;
  }

  /** Whether the pattern matches the message, or why that is unknown. */
  async match(pattern: Pattern, message: RoutedMessage, time?: ProcessorTime): Promise<PatternAnswer> {
    return await this.#run({ pattern, message }, MATCH_MS, time);
  }

  /** Terminates the worker. Pending tasks are answered with a reason. */
  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #run(task: PatternTask, limitMs: number, time?: ProcessorTime): Promise<PatternAnswer> {
    const answer = await this.#thread.run("evaluate", task, limitMs, time);
    return "value" in answer ? answer.value : { reason: answer.failure };
  }
}
