import type { Condition } from "../variables.js";
import type { Expression, PackageExpression } from "./expression.js";
import { operandsOf } from "./expression-of.js";

/** The text of HTML, as in a text body: a function of lettershop, which is bundled like those of packages. */
export const TEXT_OF = { kind: "package", module: "lettershop", name: "textOf" } as const satisfies PackageExpression;

/** The name of a function among those that an expression is computed with: `date-fns format`, `@acme/ui <Markdown>`. */
export function packageKey({ module, name, isComponent }: Omit<PackageExpression, "kind" | "setup">): string {
  return `${module} ${isComponent ? `<${name}>` : name}`.trimEnd();
}

/** What a template's computed values need of packages, each once, in the order of their use. */
export function packagesIn(conditions: readonly Condition[]): readonly PackageExpression[] {
  const found = new Map<string, PackageExpression>();
  const visit = (expression: Expression): void => {
    if (expression.kind === "package") {
      expression.setup?.forEach(visit);
      found.set(packageKey(expression), found.get(packageKey(expression)) ?? expression);
    }
    operandsOf(expression).forEach(visit);
  };
  for (const { test } of conditions) if (test.kind === "computed") visit(test.expression);
  return [...found.values()];
}

const needs = new WeakMap<Expression, boolean>();

/** Whether an expression can only be computed with functions of packages. */
export function needsPackages(expression: Expression): boolean {
  const known = needs.get(expression) ?? (expression.kind === "package" || operandsOf(expression).some(needsPackages));
  needs.set(expression, known);
  return known;
}
