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

/** A regular expression that must match a text, such as the local part of a recipient. */
export interface TextPattern {
  readonly type: "text";
  readonly regex: string;
  readonly text: string;
}

/** A task for the worker: find the first pattern that matches. */
export interface MatchTask {
  readonly patterns: readonly (Pattern | TextPattern)[];
  readonly message: RoutedMessage;
}

/** Patterns are identified by their index in the list. */
export interface FirstMatch {
  /** Undefined if none matches. */
  readonly index?: number;
  /** Patterns before it that could not be evaluated and therefore do not match. */
  readonly failed: readonly { readonly index: number; readonly reason: string }[];
}

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

/** Finds the first pattern that matches a message. */
export type Match = (patterns: readonly (Pattern | TextPattern)[], message: RoutedMessage) => Promise<FirstMatch>;

/**
 * Matches the patterns of one email, limited to the time of a request.
 *
 * @param signal When it is aborted, the match fails before the next pattern.
 */
export function limitedMatch(patterns: Patterns, signal: AbortSignal): Match {
  const time = { takenMs: 0 };
  return async (list, message) => {
    if (list.length === 0) return { failed: [] };
    signal.throwIfAborted();
    if (list.length > 1 && time.takenMs <= REQUEST_MS) {
      // Nearly always, all patterns together take less than the time for one.
      const first = await patterns.match(list, message, time);
      if ("failed" in first) return first;
    }
    const failed: { index: number; reason: string }[] = [];
    for (const [index, pattern] of list.entries()) {
      signal.throwIfAborted();
      const alone =
        time.takenMs > REQUEST_MS
          ? { reason: `earlier patterns have used up the ${REQUEST_MS / 1_000} s that an email may take` }
          : await patterns.match([pattern], message, time);
      if ("reason" in alone) failed.push({ index, reason: alone.reason });
      else failed.push(...alone.failed.map(({ reason }) => ({ index, reason })));
      if ("index" in alone) return { index, failed };
    }
    return { failed };
  };
}

/** Limits in ms of CPU time. Normal patterns take a hundredth of this. */
const COMPILE_MS = 500;
/** For all patterns of a list, which may have to be compiled again. */
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
    const answer = await this.#thread.run("check", pattern, COMPILE_MS, time);
    return "value" in answer ? answer.value : answer.failure;
  }

  /** The first pattern that matches the message, or why that is unknown. */
  async match(
    patterns: MatchTask["patterns"],
    message: RoutedMessage,
    time?: ProcessorTime,
  ): Promise<FirstMatch | { readonly reason: string }> {
    const answer = await this.#thread.run("match", { patterns, message }, MATCH_MS, time);
    return "value" in answer ? answer.value : { reason: answer.failure };
  }

  /** Terminates the worker. Pending tasks are answered with a reason. */
  async close(): Promise<void> {
    await this.#thread.close();
  }
}
