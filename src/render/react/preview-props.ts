import type { Variables } from "../../mustache/variables.js";

/** A component's example of its variables, or why it is none. */
export type PreviewProps = { readonly variables: Variables } | { readonly problem: string } | undefined;

/** The `PreviewProps` of a component, if variables can be like that: they are JSON. */
export function previewPropsOf(component: unknown): PreviewProps {
  const props: unknown =
    typeof component === "function" || typeof component === "object"
      ? Reflect.get(component ?? {}, "PreviewProps")
      : undefined;
  if (props === undefined || props === null) return undefined;
  if (!isRecord(props)) return { problem: "PreviewProps is not an object." };
  const problem = problemIn(props, "PreviewProps");
  return problem === undefined ? { variables: JSON.parse(JSON.stringify(props)) } : { problem };
}

function problemIn(value: unknown, path: string): string | undefined {
  if (value === null || ["string", "boolean", "undefined"].includes(typeof value)) return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${path} is ${value}, which is not JSON.`;
  if (Array.isArray(value)) return firstProblem(value.entries(), (index) => `${path}[${index}]`);
  if (value instanceof Date) return `${path} is a Date: variables are JSON, so pass it as a text.`;
  if (!isRecord(value)) return `${path} is a ${typeof value}: variables are JSON.`;
  if ("$$typeof" in value) return `${path} is a React element: variables are JSON, so that Mustache can print them.`;
  return firstProblem(Object.entries(value), (name) => `${path}.${name}`);
}

function firstProblem<Key>(
  entries: Iterable<readonly [Key, unknown]>,
  pathOf: (key: Key) => string,
): string | undefined {
  for (const [key, value] of entries) {
    const problem = problemIn(value, pathOf(key));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
