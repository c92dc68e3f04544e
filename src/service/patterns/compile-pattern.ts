import { isCelError } from "@bufbuild/cel";
import type { FirstMatch, MatchTask, Pattern, RoutedMessage, TextPattern } from "./patterns.js";
import { celCompiler, type CelEvaluator } from "./cel.js";
import { compileRegex } from "./regex.js";

/**
 * Maximum number of compiled patterns that are cached: enough for the rules of a domain or two, without filling a
 * worker's memory.
 */
const KEPT_MAX = 200;

type AnyPattern = Pattern | TextPattern;

/** Whether the pattern matched, or why that is unknown. */
type Answer = { readonly matched: boolean } | { readonly reason: string };

/** A message, with its headers as CEL takes them. */
type Email = Omit<RoutedMessage, "headers"> & { readonly headers: ReadonlyMap<string, string> };

type Evaluate = (pattern: AnyPattern, email: Email) => Answer;

const compileCel = celCompiler({ variables: ["sender", "recipient", "subject", "body", "headers"] });
const kept = new Map<string, Evaluate>();

/** Why a pattern does not compile. Undefined if it does. */
export function refusalOf(pattern: AnyPattern): string | undefined {
  try {
    compiled(pattern);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Finds the first pattern that matches. Compiles those that are not cached. */
export function firstMatch({ patterns, message }: MatchTask): FirstMatch {
  const email = { ...message, headers: new Map(Object.entries(message.headers)) };
  const failed: { index: number; reason: string }[] = [];
  for (const [index, pattern] of patterns.entries()) {
    const answer = evaluate(pattern, email);
    if ("reason" in answer) failed.push({ index, reason: answer.reason });
    else if (answer.matched) return { index, failed };
  }
  return { failed };
}

function evaluate(pattern: AnyPattern, email: Email): Answer {
  try {
    return compiled(pattern)(pattern, email);
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply";
  return error instanceof Error ? error.message : String(error);
}

/** The cache drops the least recently used patterns first. */
function compiled(pattern: AnyPattern): Evaluate {
  const key = `${pattern.type} ${sourceOf(pattern)}`;
  const evaluator = kept.get(key) ?? compile(pattern);
  kept.delete(key);
  kept.set(key, evaluator);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return evaluator;
}

function compile(pattern: AnyPattern): Evaluate {
  if (pattern.type === "cel") return celMatch(compileCel(pattern.config.expression));
  const find = compileRegex(sourceOf(pattern));
  // Scopes and texts belong to the task rather than to the expression.
  return (requested, email) => {
    if (requested.type === "text") return { matched: find(requested.text) };
    return { matched: requested.type === "regex" && requested.config.scopes.some((scope) => find(email[scope])) };
  };
}

function celMatch(evaluator: CelEvaluator): Evaluate {
  return (_, { sender, recipient, subject, body, headers }) => {
    const result = evaluator({ sender, recipient, subject, body, headers });
    return isCelError(result) ? { reason: result.message } : { matched: result === true };
  };
}

function sourceOf(pattern: AnyPattern): string {
  if (pattern.type === "text") return pattern.regex;
  return pattern.type === "cel" ? pattern.config.expression : pattern.config.regex;
}
