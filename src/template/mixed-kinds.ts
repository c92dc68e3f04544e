import type { Diagnostic } from "../diagnostic.js";
import { type Issue, pathText } from "./issue.js";
import { jsonPosition } from "./json.js";
import type { Fixture, Template } from "./template.js";

type Kind = "a text" | "a number" | "an object" | "a list";

/** Where a variable was seen to be of a kind. */
interface Sighting {
  readonly kind: Kind;
  readonly fixture: Fixture;
  readonly path: Issue["path"];
}

/**
 * Variables that are a list in one place of the fixtures and an object, a text or a number in another: for want of a
 * schema, nobody can tell which of the two is meant. A text here and a number there are both printed, and true or false
 * may stand for anything that is there or not.
 */
export function mixedKinds({ name, fixtures }: Template): Diagnostic[] {
  const first = new Map<string, Sighting>();
  const mixed = new Map<string, Diagnostic>();
  const visit = (value: unknown, fixture: Fixture, path: Issue["path"]): void => {
    // Items are of one kind with each other.
    const variable = pathText(path).replaceAll(/\[\d+\]/g, "[]");
    const kind = kindOf(value);
    const before = first.get(variable);
    if (kind !== undefined && before === undefined) first.set(variable, { kind, fixture, path });
    if (kind !== undefined && before && !areAlike(before.kind, kind) && !mixed.has(variable)) {
      mixed.set(variable, mismatch(before, { kind, fixture, path }, name));
    }
    if (typeof value !== "object" || value === null) return;
    const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    for (const [key, member] of members) visit(member, fixture, [...path, key]);
  };
  for (const fixture of fixtures) visit(fixture.variables, fixture, []);
  return [...mixed.values()];
}

function kindOf(value: unknown): Kind | undefined {
  if (typeof value === "string") return "a text";
  if (typeof value === "number") return "a number";
  if (typeof value !== "object" || value === null) return undefined;
  return Array.isArray(value) ? "a list" : "an object";
}

function areAlike(one: Kind, other: Kind): boolean {
  const isPrinted = (kind: Kind): boolean => kind === "a text" || kind === "a number";
  return one === other || (isPrinted(one) && isPrinted(other));
}

function mismatch(before: Sighting, now: Sighting, template: string): Diagnostic {
  const where =
    before.fixture === now.fixture
      ? `and ${pathText(before.path)} is ${before.kind}`
      : `and ${before.kind} in the fixture "${before.fixture.name}"`;
  return {
    rule: "fixture-kinds",
    severity: "error",
    message: `${pathText(now.path)} is ${now.kind} in the fixture "${now.fixture.name}", ${where}.`,
    template,
    at: jsonPosition(now.fixture.source, now.path),
    hint: "Make them alike, or say in variables.ts what it may be.",
  };
}
