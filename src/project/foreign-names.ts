import type { Severity } from "../diagnostic.js";
import { unknownNames } from "../mustache/read-inferred.js";
import type { Variables, VariablesSchema } from "../mustache/variables.js";
import type { Issue } from "./issue.js";

export interface ForeignName extends Issue {
  readonly severity: Severity;
}

/**
 * Names in variables that are not in their schema. zod drops unknown names; the mailer refuses them at the top level, and
 * anywhere if they look misspelt. A fixture must not have them either.
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
