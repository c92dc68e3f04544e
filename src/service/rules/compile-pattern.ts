import { isCelError } from "@bufbuild/cel";
import { type CelEvaluator, celCompiler } from "./cel.js";
import type { Pattern, PatternAnswer, PatternTask, RoutedMessage } from "./pattern-protocol.js";
import { compileRegex } from "./regex.js";

/** Compiled patterns that are kept: more than the rules of a domain or two, less than fills a worker's memory. */
const KEPT_MAX = 200;

type Match = (pattern: Pattern, message: RoutedMessage) => PatternAnswer;

const compileCel = celCompiler({ variables: ["sender", "recipient", "subject", "body", "headers"] });
const kept = new Map<string, Match>();

/** Compiles the task's pattern, unless it is kept from before, and evaluates it where there is a message. */
export function answerTo({ pattern, message }: PatternTask): PatternAnswer {
  try {
    const match = compiled(pattern);
    return message ? match(pattern, message) : { matched: false };
  } catch (error) {
    if (error instanceof RangeError) return { reason: "it is nested too deep" };
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** What was used last is kept longest. */
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
  // The scopes are the rule's, not the expression's: they come with each task.
  return (asked, message) => ({
    matched: asked.type === "regex" && asked.config.scopes.some((scope) => find(message[scope])),
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
