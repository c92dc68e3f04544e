import type { Variables } from "../../mustache/variables.js";
import { pathText } from "../../project/issues.js";
import { isRecord } from "../../values.js";

/** A component's `PreviewProps`, or why they can't be used. */
export type PreviewProps = { readonly variables: Variables } | PreviewProblem | undefined;

export interface PreviewProblem {
  readonly problem: string;
  /** The path to the problem. */
  readonly steps: readonly (string | number)[];
}

/** The `PreviewProps` of a component, if they are valid variables: JSON. */
export function previewPropsOf(component: unknown): PreviewProps {
  const props: unknown =
    typeof component === "function" || typeof component === "object"
      ? Reflect.get(component ?? {}, "PreviewProps")
      : undefined;
  if (props === undefined || props === null) return undefined;
  if (!isRecord(props)) return { problem: "PreviewProps is not an object.", steps: [] };
  return problemIn(props, []) ?? { variables: JSON.parse(JSON.stringify(props)) };
}

function problemIn(value: unknown, steps: readonly (string | number)[]): PreviewProblem | undefined {
  const what = foreignKind(value);
  if (what !== undefined) return { problem: `${pathText(["PreviewProps", ...steps])} is ${what}`, steps };
  if (typeof value !== "object" || value === null) return undefined;
  const members = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [step, member] of members) {
    const problem = problemIn(member, [...steps, step]);
    if (problem) return problem;
  }
  return undefined;
}

function foreignKind(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${value}, which is not JSON.`;
  if (["bigint", "function", "symbol"].includes(typeof value)) return `a ${typeof value}: variables are JSON.`;
  if (value instanceof Date) return "a Date: variables are JSON, so pass it as a string.";
  if (value instanceof Map || value instanceof Set) return `a ${value.constructor.name}: variables are JSON.`;
  if (isRecord(value) && "$$typeof" in value) {
    return "a React element: variables are JSON.";
  }
  return undefined;
}
