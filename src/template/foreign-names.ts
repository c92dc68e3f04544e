import type { Severity } from "../diagnostic.js";
import { unknownNames } from "../mustache/unknown-names.js";
import type { Variables, VariablesSchema } from "../mustache/variables.js";
import type { Issue } from "./issue.js";

export interface ForeignName extends Issue {
  readonly severity: Severity;
}

/**
 * Names in variables that their schema does not have. zod drops what it does not know; the mailer refuses such a name at
 * the top, and one that looks misspelt anywhere: an example must not have it either.
 */
export function foreignNames(variables: Variables, schema: VariablesSchema = {}): ForeignName[] {
  return unknownNames(variables, schema).map(({ path, near }) => {
    const question = near === undefined ? "" : ` (did you mean "${near}"?)`;
    return {
      path,
      message: `not a variable of the template${question}`,
      severity: near !== undefined || path.length === 1 ? "error" : "warning",
    };
  });
}
