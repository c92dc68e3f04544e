import { z } from "zod";
import type { Variables } from "../mustache/variables.js";
import type { Issue } from "./issue.js";
import { issuesOf, valueAt } from "./zod-issues.js";

export type ParsedFixture =
  | { readonly data: Variables; readonly issues?: undefined }
  | { readonly data?: undefined; readonly issues: readonly Issue[] };

/**
 * Checks a fixture against its template's schema. Where the schema expects a date, the fixture has an ISO 8601 string,
 * because JSON has no dates.
 */
export function parseFixture(schema: z.core.$ZodObject, variables: Variables): ParsedFixture {
  const first = z.safeParse(schema, variables);
  const dates = first.success ? [] : first.error.issues.filter((issue) => isDateText(issue, variables));
  const parsed =
    dates.length === 0
      ? first
      : z.safeParse(
          schema,
          withDates(
            variables,
            dates.map(({ path }) => path),
          ),
        );
  if (parsed.success) return { data: parsed.data };
  return { issues: parsed.error.issues.flatMap((issue) => issuesOf(issue, variables)) };
}

function isDateText(issue: z.core.$ZodIssue, variables: Variables): boolean {
  if (issue.code !== "invalid_type" || issue.expected !== "date") return false;
  const value = valueAt(variables, issue.path);
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value));
}

function withDates(variables: Variables, paths: readonly PropertyKey[][]): unknown {
  const copy = structuredClone(variables);
  for (const path of paths) {
    const [holder, name] = [valueAt(copy, path.slice(0, -1)), path.at(-1)];
    if (typeof holder !== "object" || holder === null || name === undefined) continue;
    Reflect.set(holder, name, new Date(String(Reflect.get(holder, name))));
  }
  return copy;
}
