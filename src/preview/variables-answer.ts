import { completeVariables } from "../mustache/complete.js";
import type { VariablesContract } from "../mustache/variables.js";
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

/** The variables that fill the tags, or their problems. */
export function answerOf(
  { parsed, derived, issues }: VariablesTrial,
  contract: VariablesContract = { input: {}, conditions: [] },
): VariablesAnswer {
  if (parsed === undefined) return { problems: issues.map(problemOf) };
  return { variables: completeVariables(contract, parsed, derived), problems: [] };
}
