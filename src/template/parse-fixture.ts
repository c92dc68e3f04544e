import { z } from "zod";
import type { Variables } from "../mustache/variables.js";
import type { Issue } from "./issue.js";

export type ParsedFixture =
  | { readonly data: Variables; readonly issues?: undefined }
  | { readonly data?: undefined; readonly issues: readonly Issue[] };

/**
 * Checks a fixture by its template's schema. Where the schema asks for a date, the fixture has it as a text (ISO 8601),
 * since JSON has no dates.
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
  return parsed.success ? { data: parsed.data } : { issues: parsed.error.issues.flatMap(clonable) };
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

function valueAt(variables: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    variables,
  );
}

/** Each unknown key by itself, so that each can be shown where it stands. */
function clonable(issue: z.core.$ZodIssue): Issue[] {
  const { path, message } = issue;
  if (issue.code !== "unrecognized_keys") return [{ path, message }];
  return issue.keys.map((key) => ({ path: [...path, key], message: "not a variable of the template" }));
}
