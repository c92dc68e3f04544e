import { memoizeByString } from "../memoize.js";

/** The screen on which an email is shown. */
export interface View {
  /** In pixels. */
  readonly width: number;
  readonly scheme: "light" | "dark";
}

export const LIGHT: View = { width: 1024, scheme: "light" };
export const DARK: View = { width: 1024, scheme: "dark" };
/** The width of a small phone. */
export const PHONE: View = { width: 375, scheme: "light" };

/**
 * Whether a rule inside these at-rules applies in a view. At-rules and conditions that are not understood, such as
 * `@supports`, count as false.
 *
 * @example
 * applies(["@media (prefers-color-scheme: dark)"], DARK); // true
 */
export function applies(within: readonly string[], view: View): boolean {
  return within.every(rulesIn(view));
}

const cache = new WeakMap<View, (rule: string) => boolean>();

/** The same few at-rules are tested for each element. */
function rulesIn(view: View): (rule: string) => boolean {
  let matches = cache.get(view);
  if (!matches) cache.set(view, (matches = memoizeByString(1000, (rule) => matchesIn(view, rule))));
  return matches;
}

function matchesIn(view: View, rule: string): boolean {
  const [, queries] = /^@media\b([^]*)$/i.exec(rule.toLowerCase()) ?? [];
  if (queries === undefined) return false;
  const all = queries.replaceAll(/[()]/g, " ").split(",");
  return all.some((query) => query.split(/\band\b/).every((condition) => holds(condition.trim(), view)));
}

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
