import type { PassedVariables, Variables } from "../mustache/variables.js";
import type { Issue } from "../project/issues.js";
import type { VariablesTrial } from "../project/variables-trial.js";
import type { VariableProblem, VariablesAnswer } from "./contract.js";

/** A schema issue as a form shows it: a sentence at a field. */
export function problemOf({ path, message }: Issue): VariableProblem {
  const sentence = message.replace(/^(?:expected|not)\b/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  return {
    path: path.map((step) => (typeof step === "number" ? step : String(step))),
    message: /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`,
  };
}

/**
 * The variables that fill the tags, or their problems.
 *
 * @param complete Completes the variables of a template that compiles.
 */
export async function answerOf(
  { parsed, derived, issues }: VariablesTrial,
  complete: ((passed: PassedVariables) => Variables | Promise<Variables>) | undefined,
): Promise<VariablesAnswer> {
  if (parsed === undefined) return { problems: issues.map(problemOf) };
  const variables = complete ? await complete({ input: parsed, derived }) : { ...parsed, ...derived };
  return { variables, problems: [] };
}
