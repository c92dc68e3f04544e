import type { CheckedTemplate } from "../../rule.js";
import { type TagInPlace, withinOf } from "../../variables/tags.js";
import { valuesOf } from "../../variables/values.js";

/** A value that a fixture has for a tag. */
export interface Example {
  readonly fixture: string;
  readonly value: unknown;
}

/**
 * The values that the fixtures have for a tag, one for each time it is printed.
 *
 * @example
 * examplesOf(tag, checked); // [{ fixture: "default", value: "Tea" }, { fixture: "default", value: "Jam" }]
 */
export function examplesOf(tag: TagInPlace, { compiled }: CheckedTemplate): Example[] {
  return compiled.fixtures.flatMap(({ name: fixture, variables }) =>
    valuesOf(variables, { within: withinOf(tag), name: tag.name }).map((value) => ({ fixture, value })),
  );
}

/** Whether a tag's variable comes from `derive`, not from the application. */
export function isDerived({ found }: TagInPlace, { compiled }: CheckedTemplate): boolean {
  const [first = ""] = found?.path.split(/[.[]/) ?? [];
  return Object.hasOwn(compiled.contract.derived?.properties ?? {}, first);
}

/** Whether a tag prints a value; otherwise it opens a section. */
export function prints({ kind }: TagInPlace): boolean {
  return kind === "variable" || kind === "unescaped";
}
