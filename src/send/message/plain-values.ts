import { isJavaScript } from "../../mustache/javascript-values.js";
import type { Variables } from "../../mustache/variables.js";

/** Reports a value that would be lost or changed in an email: `is a function, which …`. */
type ReportValue = (path: readonly PropertyKey[], message: string) => void;

/**
 * A copy of variables as JSON would have it, in which dates and bigints stay, because a template may compute with them.
 *
 * @param report Called for each value that JSON would drop or change silently.
 */
export function plainValues(variables: Variables, report: ReportValue): Variables {
  try {
    // Mostly they are plain already, and completing the variables makes a copy anyway.
    return isPlain(variables) ? variables : copyMembers(variables, { path: [], ancestors: [] }, report);
  } catch {
    report([], "can't be converted to JSON");
    return {};
  }
}

/** Deeper values may contain themselves. */
const DEEPEST = 100;

function isPlain(value: unknown, depth = 0): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null || isJavaScript(value)) return true;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object" || "toJSON" in value || depth > DEEPEST) return false;
  const isPlainInside = (each: unknown): boolean => isPlain(each, depth + 1);
  if (Array.isArray(value)) return value.every(isPlainInside) && Object.keys(value).length === value.length;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isPlainInside);
}

interface Place {
  readonly path: readonly PropertyKey[];
  readonly ancestors: readonly object[];
}

function copy(value: unknown, place: Place, report: ReportValue): unknown {
  if (isJavaScript(value)) return value;
  const lost = lostAs(value, place);
  if (lost !== undefined) report(place.path, `is ${lost}, which an email can't contain`);
  if (typeof value === "number") return value + 0; // Not -0.
  if (lost !== undefined || typeof value !== "object" || value === null) return value;
  if ("toJSON" in value && typeof value.toJSON === "function") return copy(value.toJSON(), place, report);
  if (!Array.isArray(value)) return copyMembers(value, place, report);
  return Array.from(value, (item, index) => copy(item, within(value, index, place), report) ?? null);
}

function copyMembers(object: object, place: Place, report: ReportValue): Record<string, unknown> {
  const members = Object.entries(object).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, each]) => [name, copy(each, within(object, name, place), report)]));
}

function within(holder: object, step: PropertyKey, { path, ancestors }: Place): Place {
  return { path: [...path, step], ancestors: [...ancestors, holder] };
}

/** What a value is, if JSON has nothing for it: `NaN`, `a function`, `a Map`. */
function lostAs(value: unknown, { ancestors }: Place): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Date) return "an invalid Date";
  if (ancestors.includes(value)) return "an object within itself";
  if (Array.isArray(value) || "toJSON" in value) return undefined;
  // `[object Map]`: what it contains is not in its properties.
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return kind === "Object" ? undefined : `a ${kind}`;
}
