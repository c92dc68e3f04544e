import type { Diagnostic } from "../diagnostic.js";
import { isOpenSchema } from "../mustache/infer.js";
import type { VariablesSchema } from "../mustache/variables.js";
import { type Issue, pathText } from "./issues.js";
import { jsonPosition } from "./source-file.js";
import type { Fixture, Template } from "./template.js";

type Kind = "a string" | "a number" | "an object" | "a list";

/** One occurrence of a variable in a fixture, with its kind. */
interface Sighting {
  readonly kind: Kind;
  readonly fixture: Fixture;
  readonly path: Issue["path"];
  readonly value: unknown;
}

/**
 * Variables whose values have different kinds in different places of the fixtures: without a schema, it is unclear which
 * kind is meant. Booleans are ignored (they may say whether something is there), an empty string may appear next to
 * numbers, and words next to numbers in a list, as in table rows.
 *
 * @param type The type of a component's props: only the variables that it leaves open are checked.
 */
export function mixedKinds({ name, fixtures }: Template, type: VariablesSchema = {}): Diagnostic[] {
  const first = new Map<string, Sighting>();
  const mixed = new Map<string, Diagnostic>();
  const visit = (value: unknown, fixture: Fixture, path: Issue["path"]): void => {
    // All items of a list count as one variable.
    const variable = pathText(path).replaceAll(/\[\d+\]/g, "[]");
    const kind = kindOf(value);
    const before = first.get(variable);
    const now = kind && { kind, fixture, path, value };
    if (now && before && !areCompatible(before, now) && !mixed.has(variable))
      mixed.set(variable, mismatch(before, now, name));
    if (now && (before === undefined || before.value === "")) first.set(variable, now);
    if (typeof value !== "object" || value === null) return;
    const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    for (const [key, member] of members) visit(member, fixture, [...path, key]);
  };
  for (const fixture of fixtures) {
    for (const [variable, value] of Object.entries(fixture.variables)) {
      if (isOpenSchema(type.properties?.[variable] ?? {})) visit(value, fixture, [variable]);
    }
  }
  return [...mixed.values()];
}

function kindOf(value: unknown): Kind | undefined {
  if (typeof value === "string") return "a string";
  if (typeof value === "number") return "a number";
  if (typeof value !== "object" || value === null) return undefined;
  return Array.isArray(value) ? "a list" : "an object";
}

function areCompatible(one: Sighting, other: Sighting): boolean {
  if (one.kind === other.kind) return true;
  if (!isPrinted(one) || !isPrinted(other)) return false;
  const isInList = one.path.some((key) => typeof key === "number");
  return [one, other].some(
    ({ value }) => value === "" || (isInList && typeof value === "string" && !AMOUNT.test(value)),
  );
}

function isPrinted({ kind }: Sighting): boolean {
  return kind === "a string" || kind === "a number";
}

/** `4.00`, `$1,200`, `12 kg` */
const AMOUNT = /^\D{0,4}\d[\d.,' ]*\D{0,4}$/;

function mismatch(before: Sighting, now: Sighting, template: string): Diagnostic {
  const { line } = jsonPosition(before.fixture.source, before.path);
  const where =
    before.fixture === now.fixture
      ? `and ${pathText(before.path)} is ${before.kind} (line ${line})`
      : `and ${before.kind} in the fixture "${before.fixture.name}" (line ${line})`;
  return {
    rule: "fixture-kinds",
    severity: isPrinted(before) && isPrinted(now) ? "warning" : "error",
    message: `${pathText(now.path)} is ${now.kind} in the fixture "${now.fixture.name}", ${where}.`,
    template,
    at: jsonPosition(now.fixture.source, now.path),
    hint: "Use the same type everywhere, or declare both types in variables.ts.",
  };
}
