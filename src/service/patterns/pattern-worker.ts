/*
 * The worker's side: compiles and evaluates user-written patterns, one task at a time. It may be terminated at any moment.
 */
import { serveThread } from "../../process/rpc.js";
import { firstMatch, refusalOf } from "./compile-pattern.js";
import type { FirstMatch, MatchTask, Pattern } from "./patterns.js";

/** The thread's functions. */
export interface PatternEvaluator {
  /** The thread has loaded its modules. */
  ready(input: undefined): void;
  /** Why the pattern does not compile. Undefined if it does. */
  check(pattern: Pattern): string | undefined;
  match(task: MatchTask): FirstMatch;
}

const functions = { ready() {}, check: refusalOf, match: firstMatch } satisfies PatternEvaluator;
serveThread({ functions });
