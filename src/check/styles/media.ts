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
  return within.every((rule) => holdsIn(view, rule));
}

/** The same few rules are asked of for each element. */
const known = new WeakMap<View, Map<string, boolean>>();
const MOST_KNOWN = 1000;

function holdsIn(view: View, rule: string): boolean {
  const answers = known.get(view) ?? new Map<string, boolean>();
  known.set(view, answers);
  const answer = answers.get(rule) ?? asksFor(view, rule);
  if (answers.size >= MOST_KNOWN) answers.clear();
  answers.set(rule, answer);
  return answer;
}

function asksFor(view: View, rule: string): boolean {
  const [, queries] = /^@media\b([^]*)$/i.exec(rule) ?? [];
  return queries !== undefined && matchesMedia(queries, view);
}

function matchesMedia(queries: string, view: View): boolean {
  return queries
    .toLowerCase()
    .split(",")
    .some((query) => query.split(/\band\b/).every((part) => holds(part.replaceAll(/[()]/g, " ").trim(), view)));
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
