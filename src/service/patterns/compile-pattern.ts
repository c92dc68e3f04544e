import { isCelError } from "@bufbuild/cel";
import type { Pattern, PatternAnswer, PatternTask, RoutedMessage } from "./patterns.js";
import { celCompiler, type CelEvaluator } from "./cel.js";
import { compileRegex } from "./regex.js";

/**
 * Maximum number of compiled patterns that are cached: enough for the rules of a domain or two, without filling a
 * worker's memory.
 */
const KEPT_MAX = 200;

type Match = (pattern: Pattern, message: RoutedMessage) => PatternAnswer;

const compileCel = celCompiler({ variables: ["sender", "recipient", "subject", "body", "headers"] });
const kept = new Map<string, Match>();

/** Compiles the task's pattern, unless it is cached, and evaluates it if there is a message. */
export function runPatternTask({ pattern, message }: PatternTask): PatternAnswer {
  try {
    const match = compiled(pattern);
    return message ? match(pattern, message) : { matched: false };
  } catch (error) {
    if (error instanceof RangeError) return { reason: "it is nested too deeply" };
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The cache drops the least recently used patterns first. */
function compiled(pattern: Pattern): Match {
  const key = JSON.stringify([pattern.type, sourceOf(pattern)]);
  const match = kept.get(key) ?? compile(pattern);
  kept.delete(key);
  kept.set(key, match);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return match;
}

function compile(pattern: Pattern): Match {
  if (pattern.type === "cel") return celMatch(compileCel(pattern.config.expression));
  const find = compileRegex(pattern.config.regex);
  // Scopes belong to the rule rather than to the expression, so they come with each task.
  return (requested, message) => ({
    matched: requested.type === "regex" && requested.config.scopes.some((scope) => find(message[scope])),
  });
}

function celMatch(evaluate: CelEvaluator): Match {
  return (_, { sender, recipient, subject, body, headers }) => {
    const result = evaluate({ sender, recipient, subject, body, headers: new Map(Object.entries(headers)) });
    return isCelError(result) ? { reason: result.message } : { matched: result === true };
  };
}

function sourceOf(pattern: Pattern): string {
  return pattern.type === "cel" ? pattern.config.expression : pattern.config.regex;
}
