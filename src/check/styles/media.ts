import { memoize } from "../memoize.js";

/** How a mail is looked at. */
export interface View {
  /** Pixels. */
  readonly width: number;
  readonly scheme: "light" | "dark";
}

export const LIGHT: View = { width: 1024, scheme: "light" };
export const DARK: View = { width: 1024, scheme: "dark" };
/** The width of a small phone. */
export const PHONE: View = { width: 375, scheme: "light" };

/**
 * Whether a rule that stands in these at-rules counts in a view. What is not known here, such as `@supports`, is taken
 * not to hold.
 *
 * @example
 * applies(["@media (prefers-color-scheme: dark)"], DARK); // true
 */
export function applies(within: readonly string[], view: View): boolean {
  return within.every((rule) => queriesIn(rule).some((conditions) => conditions.every((each) => holds(each, view))));
}

/** The conditions of each media query: a rule counts where all of one hold. */
const queriesIn = memoize(1000, (rule): readonly (readonly string[])[] => {
  const [, queries] = /^@media\b([^]*)$/i.exec(rule) ?? [];
  if (queries === undefined) return [];
  const all = queries.toLowerCase().replaceAll(/[()]/g, " ").split(",");
  return all.map((query) => query.split(/\band\b/).map((condition) => condition.trim()));
});

function holds(condition: string, { width, scheme }: View): boolean {
  if (/^(?:(?:only\s+)?(?:screen|all))?$/.test(condition)) return true;
  const [, name, value = ""] = /^([a-z-]+)\s*:\s*(.*)$/.exec(condition) ?? [];
  if (name === "prefers-color-scheme") return value === scheme;
  const limit = lengthOf(value);
  if (limit === undefined) return false;
  if (name === "min-width" || name === "min-device-width") return width >= limit;
  return (name === "max-width" || name === "max-device-width") && width <= limit;
}

function lengthOf(value: string): number | undefined {
  const [, number, unit = "px"] = /^(\d*\.?\d+)(px|r?em)?$/.exec(value) ?? [];
  return number === undefined ? undefined : Number(number) * (unit === "px" ? 1 : 16);
}
