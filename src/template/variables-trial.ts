import type { Variables, VariablesSchema } from "../mustache/variables.js";
import { foreignNames } from "./foreign-names.js";
import type { Issue } from "./issue.js";
import type { FixtureReading, ModuleProblem } from "./read-fixture.js";

/** What a template's schema and `derive` make of variables: what fills the tags, or what is wrong with them. */
export type VariablesTrial =
  | { readonly parsed: Variables; readonly derived?: Variables; readonly issues: readonly [] }
  | { readonly parsed?: undefined; readonly derived?: undefined; readonly issues: readonly [Issue, ...Issue[]] };

/** What was read of a module. */
export interface TriedReading {
  readonly schema?: VariablesSchema;
  readonly problem?: ModuleProblem;
  /** Absent where the module itself is wrong. */
  readonly fixture?: FixtureReading;
}

/** What comes of variables that were read. */
export function trialOf(variables: Variables, { schema, problem, fixture }: TriedReading): VariablesTrial {
  const foreign = foreignNames(variables, schema).filter(({ severity }) => severity === "error");
  const failures = [problem, fixture?.problem && withSource(fixture.problem)].flatMap((each) => each ?? []);
  const [issue, ...issues] = [...(fixture?.issues ?? []), ...foreign, ...failures.map(asIssue)];
  if (issue) return { issues: [issue, ...issues] };
  return { parsed: fixture?.parsed ?? variables, issues: [], ...(fixture?.derived && { derived: fixture.derived }) };
}

/** What code threw says nothing of where it comes from; what is wrong with derive has a hint. */
function withSource({ message, hint }: ModuleProblem): ModuleProblem {
  return hint === undefined ? { message: `variables.ts threw: ${message}` } : { message, hint };
}

export function asIssue({ message, hint }: Pick<ModuleProblem, "message" | "hint">): Issue {
  return { path: [], message: hint === undefined ? message : `${message} ${hint}` };
}
