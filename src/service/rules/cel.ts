import { celEnv, type CelInput, celMethod, type CelResult, CelScalar, isCelError, plan } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import { refuseMistakes } from "./cel-mistakes.js";
import { refuseLargeIntegers, refuseUnknownFunctions } from "./cel-names.js";
import { parseWithSelectors } from "./cel-selectors.js";
import type { ParsedCel } from "./cel-tree.js";

export interface CelOptions {
  /** Variables that rules have. Names that look like typos of these are rejected. */
  readonly variables?: readonly string[];
  /** These two are only needed by tests of the language. */
  readonly namespace?: string;
  readonly registry?: NonNullable<Parameters<typeof celEnv>[0]>["registry"];
}

/** A compiled expression, which is evaluated with values for its variables. Errors are returned as values. */
export type CelEvaluator = (variables: Record<string, CelInput>) => CelResult;

/** Part of the strings extension, but missing in the package's version. */
const reverse = celMethod("reverse", CelScalar.STRING, [], CelScalar.STRING, function () {
  return Array.from(this).toReversed().join("");
});

/**
 * Creates a function that compiles expressions of the Common Expression Language, with its standard functions and those
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
    // An expression that has a value without variables, such as `unknown()
    // true`, needs no further checks.
    if (isCelError(evaluate({}))) refuseUnknownFunctions(parsed, expression, env);
    return evaluate;
  };
}

const SYNTAX_ERROR = /^<input>:(\d+):(\d+): (.*)$/s;

/** Rewrites the parser's errors so that they start with the place. */
function parseWorded(expression: string): ParsedCel {
  try {
    return parseWithSelectors(expression);
  } catch (error) {
    const [, line, column, what] = SYNTAX_ERROR.exec(error instanceof Error ? error.message : "") ?? [];
    if (what === undefined) throw error;
    throw new Error(`line ${line}, column ${column}: ${what}`, { cause: error });
  }
}
