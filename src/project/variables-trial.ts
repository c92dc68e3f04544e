import type { Variables, VariablesSchema } from "../mustache/variables.js";
import type { Issue } from "./issues.js";
import type { FixtureReading, ModuleProblem } from "./read-fixture.js";
import type { Severity } from "../diagnostic.js";
import type { VariablesReading } from "./variables-task.js";
import { unknownNames } from "../mustache/read-inferred.js";

/** The variables after a template's schema and `derive`, ready to fill the tags, or what is wrong with them. */
export type VariablesTrial =
  | { readonly parsed: Variables; readonly derived?: Variables; readonly issues: readonly [] }
  | { readonly parsed?: undefined; readonly derived?: undefined; readonly issues: readonly [Issue, ...Issue[]] };

/** What was read from a module. */
interface TriedReading extends Pick<VariablesReading, "schema" | "problem"> {
  /** Absent if the module itself is wrong. */
  readonly fixture?: FixtureReading | undefined;
}

/** Turns a reading into usable variables or issues. */
export function trialOf(variables: Variables, { schema, problem, fixture }: TriedReading): VariablesTrial {
  const foreign = foreignNames(variables, schema).filter(({ severity }) => severity === "error");
  const failures = [problem, fixture?.problem && withSource(fixture.problem)].flatMap((each) => each ?? []);
  const [issue, ...issues] = [...(fixture?.issues ?? []), ...foreign, ...failures.map(asIssue)];
  if (issue) return { issues: [issue, ...issues] };
  return { parsed: fixture?.parsed ?? variables, issues: [], ...(fixture?.derived && { derived: fixture.derived }) };
}

/** Errors thrown by project code don't say where they come from; problems with derive have a hint. */
function withSource({ message, hint }: ModuleProblem): ModuleProblem {
  return hint === undefined ? { message: `variables.ts threw: ${message}` } : { message, hint };
}

export function asIssue({ message, hint }: Pick<ModuleProblem, "message" | "hint">): Issue {
  return { path: [], message: hint === undefined ? message : `${message} ${hint}` };
}

/**
 * Names in variables that are not in their schema. zod drops unknown names; the mailer refuses them at the top level, and
 * anywhere if they look misspelt. A fixture must not have them either.
 */
export function foreignNames(variables: Variables, schema: VariablesSchema = {}): (Issue & { severity: Severity })[] {
  return unknownNames(variables, schema).map(({ path, near }) => {
    const question = near === undefined ? "" : ` (did you mean "${near}"?)`;
    return {
      path,
      message: `not a variable of the template${question}`,
      severity: near !== undefined || path.length === 1 ? "error" : "warning",
    };
  });
}
