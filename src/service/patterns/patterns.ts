import { setImmediate, setTimeout } from "node:timers/promises";
import { Thread } from "../../process/rpc.js";
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

/** Minimum pause in ms between measurements, because on a busy machine CPU time passes slowly. */
const LOOK_MS = 10;

/**
 * The CPU time of this process with all its threads since a measurement, in ms. Node does not report the time of a
 * single thread. This is at least a worker's time, and excludes other processes.
 */
export function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/**
 * Resolves when the process has used this much CPU time in ms, however long that takes on a busy machine, but not
 * before that much wall-clock time has passed.
 */
export async function passed(limitMs: number, signal: AbortSignal): Promise<void> {
  const since = process.cpuUsage();
  for (let leftMs = limitMs; leftMs > 0; leftMs = limitMs - processorMs(since)) {
    await setTimeout(Math.max(leftMs, LOOK_MS), undefined, { signal });
  }
}

/** Limits in ms of CPU time. Normal patterns take a hundredth of this. */
const COMPILE_MS = 500;
/** A match may have to compile its pattern again. */
const MATCH_MS = 1_000;
const MEMORY_MB = 256;

/**
 * Compiles and evaluates users' patterns in a worker, so that they take bounded time and memory and nothing else waits
 * for them. A worker that takes too long is terminated; the next task gets a new one.
 */
export class Patterns {
  #thread: Promise<Thread<PatternEvaluator>> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** Why the pattern does not compile. Undefined if it does. */
  async check(pattern: Pattern, time?: ProcessorTime): Promise<string | undefined> {
    const answer = await this.#run({ pattern }, COMPILE_MS, time);
    return "reason" in answer ? answer.reason : undefined;
  }

  /** Whether the pattern matches the message, or why that is unknown. */
  async match(pattern: Pattern, message: RoutedMessage): Promise<PatternAnswer> {
    return await this.#run({ pattern, message }, MATCH_MS);
  }

  /** Terminates the worker. Pending tasks are answered with a reason. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  /** Runs one task at a time, so that each is only charged for its own time. */
  async #run(task: PatternTask, limitMs: number, time?: ProcessorTime): Promise<PatternAnswer> {
    const turn = this.#last.then(async () => {
      const since = process.cpuUsage();
      const first = await this.#attempt(task, limitMs);
      // The worker's memory may have been filled by earlier tasks.
      const last = first === "died" ? await this.#attempt(task, limitMs) : first;
      if (time) time.takenMs += processorMs(since);
      return last;
    });
    this.#last = turn.catch(() => undefined);
    const answer = await turn;
    if (answer === "died") return { reason: `it needs more than ${MEMORY_MB} MB` };
    return answer === "late" ? { reason: `it takes more than ${limitMs} ms of processor time` } : answer;
  }

  async #attempt(task: PatternTask, limitMs: number): Promise<PatternAnswer | "late" | "died"> {
    if (this.#closed) return { reason: "the service is closing" };
    const thread = await (this.#thread ??= this.#start());
    const stop = new AbortController();
    try {
      const outcome = await Promise.race([
        thread.call("evaluate", task),
        // If this thread was busy, the answer may have arrived too. It then comes first.
        passed(limitMs, stop.signal).then(() => setImmediate("late" as const)),
      ]);
      if (outcome === "late") await this.#end();
      return outcome;
    } catch {
      await this.#end();
      return "died";
    } finally {
      stop.abort();
    }
  }

  async #start(): Promise<Thread<PatternEvaluator>> {
    const thread = new Thread<PatternEvaluator>(new URL("../patterns/pattern-worker.js", import.meta.url), {
      title: "The thread that evaluates patterns",
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 16 },
    });
    try {
      await thread.call("ready", undefined);
      return thread;
    } catch (error) {
      this.#thread = undefined;
      throw error;
    }
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await (await thread)?.terminate();
  }
}
