import { toPath } from "../mustache/lookup.js";
import { Shape } from "../mustache/shape.js";
import type { VariablesContract, VariablesSchema } from "../mustache/variables.js";

/** What a name refers to inside these sections, which are given by their names, outermost first. */
export function shapeAt(contract: VariablesContract, sections: readonly string[], name: string): Shape | undefined {
  return find(name, contextsOf(contract, sections));
}

/** Whether a variable may print nothing: it may be absent, or an empty string or list. */
export function mayBeEmpty(contract: VariablesContract, sections: readonly string[], name: string): boolean {
  const contexts = contextsOf(contract, sections);
  const shape = find(name, contexts);
  if (!shape?.isKnown || shape.kinds.some(isEmptiable)) return true;
  const { first, rest } = toPath(name);
  if (first === ".") return false;
  let holder = contexts.findLast((context) => context.member(first));
  for (const part of [first, ...rest]) {
    if (!holder?.requires(part)) return true;
    holder = holder.member(part);
  }
  return false;
}

/** A string with a format, such as a URL, is not empty. */
function isEmptiable({ type, enum: values, const: value, format }: VariablesSchema): boolean {
  const known = values ?? (value === undefined ? undefined : [value]);
  if (known) return known.includes("") || known.includes(null);
  return type === "null" || type === "array" || (type === "string" && format === undefined);
}

/** Whether an inner section has, or may have, a member of this name, which hides the outer one. */
export function mayHide(
  contract: VariablesContract,
  sections: readonly string[],
  inner: readonly string[],
  name: string,
): boolean {
  const around = [
    ...sections.map((section) => ({ section, isAdded: false })),
    ...inner.map((section) => ({ section, isAdded: true })),
  ];
  return mayBeHidden(contract, around, name);
}

/** The same for sections added anywhere around a name. */
export function mayBeHidden(
  contract: VariablesContract,
  around: readonly { readonly section: string; readonly isAdded: boolean }[],
  name: string,
): boolean {
  const [, ...contexts] = contextsOf(
    contract,
    around.map(({ section }) => section),
  );
  const { first } = toPath(name);
  return (
    first === "." ||
    contexts.some(
      (context, index) => around[index]?.isAdded && (!context.isKnown || context.member(first) !== undefined),
    )
  );
}

export function isList(shape: Shape | undefined): boolean {
  return shape?.kinds.some(({ type }) => type === "array") ?? false;
}

function contextsOf(contract: VariablesContract, sections: readonly string[]): Shape[] {
  const contexts = [Shape.ofFilled(contract)];
  for (const section of sections) {
    const shape = find(section, contexts);
    contexts.push((isList(shape) ? shape?.items() : shape) ?? Shape.UNKNOWN);
  }
  return contexts;
}

function find(name: string, contexts: readonly Shape[]): Shape | undefined {
  const { first, rest } = toPath(name);
  if (first === ".") return contexts.at(-1);
  let shape = contexts.findLast((context) => context.member(first))?.member(first);
  for (const part of rest) shape = shape?.member(part);
  return shape;
}
