import { celEnv, type CelInput, celMethod, type CelResult, CelScalar, isCelError, plan } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import { refuseMistakes } from "./cel-mistakes.js";
import { refuseLargeIntegers, refuseUnknownFunctions } from "./cel-names.js";
import { parseWithSelectors } from "./cel-selectors.js";
import type { ParsedCel } from "./cel-tree.js";

export interface CelOptions {
  /** What a rule has: names that are almost these are refused. */
  readonly variables?: readonly string[];
  /** These two are what tests of the language need, not rules. */
  readonly namespace?: string;
  readonly registry?: NonNullable<Parameters<typeof celEnv>[0]>["registry"];
}

/** An expression that can be evaluated, with values for its variables. Gives errors back as values. */
export type CelEvaluator = (variables: Record<string, CelInput>) => CelResult;

/** Of the strings extension, and missing in the package's. */
const reverse = celMethod("reverse", CelScalar.STRING, [], CelScalar.STRING, function () {
  return Array.from(this).toReversed().join("");
});

/**
 * Makes the function that compiles expressions of the Common Expression Language, with its standard functions and those
 * of the strings extension.
 *
 * @example
 * const compile = celCompiler();
 * compile('subject.contains("invoice")')({ subject: "Your invoice" }); // true
 */
export function celCompiler({ variables, namespace = "", registry }: CelOptions = {}): (
  expression: string,
) => CelEvaluator {
  const env = celEnv({ namespace, funcs: [...strings, reverse], ...(registry && { registry }) });
  return (expression) => {
    const parsed = parseWorded(expression);
    if (variables) refuseMistakes(parsed, expression, variables);
    refuseLargeIntegers(parsed, expression);
    const evaluate = plan(env, parsed);
    // What has a value already, as `unknown() || true` has, needs nothing else.
    if (isCelError(evaluate({}))) refuseUnknownFunctions(parsed, expression, env);
    return evaluate;
  };
}

const SYNTAX_ERROR = /^<input>:(\d+):(\d+): (.*)$/s;

/** The parser's errors, with the place first and in words. */
function parseWorded(expression: string): ParsedCel {
  try {
    return parseWithSelectors(expression);
  } catch (error) {
    const [, line, column, what] = SYNTAX_ERROR.exec(error instanceof Error ? error.message : "") ?? [];
    if (what === undefined) throw error;
    throw new Error(`line ${line}, column ${column}: ${what}`, { cause: error });
  }
}
