/*
 * The worker's side: compiles and evaluates user-written patterns, one task at a time. It may be terminated at any moment.
 */
import { serveThread } from "../../process/rpc.js";
import { runPatternTask } from "./compile-pattern.js";
import type { PatternAnswer, PatternTask } from "./patterns.js";

/** The thread's functions. */
export interface PatternEvaluator {
  /** The thread has loaded its modules. */
  ready(input: undefined): void;
  evaluate(task: PatternTask): PatternAnswer;
}

const functions = { ready() {}, evaluate: runPatternTask } satisfies PatternEvaluator;
serveThread({ functions });
