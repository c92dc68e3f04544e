import { lift } from "./choices.js";
import { indexIn } from "./expression.js";
import { expressionOf } from "./expressions.js";
import { withDecidingPath } from "./facts.js";
import { pathOf } from "./paths.js";
import { refuse, rendering } from "./rendering.js";
import { symbolicOf } from "./strings.js";
import type { AccessPath } from "./symbolic.js";

export const TEST_FIRST = "Test the date first, `date && format(date)`, or make it a required variable.";

const FORMATS = /^(?:format(?:ToParts)?|)$/;

/**
 * Refuses a call of a date formatter that formats the current time for some variables, because the date may be absent.
 *
 * @param method Empty for the function that `formatter.format` returns.
 * @returns Undefined for every other call.
 */
export function refuseAbsentDate(object: unknown, method: string, [date]: readonly unknown[]): object | undefined {
  const about = symbolicOf(date);
  if (!about || !FORMATS.test(method) || !isDateFormatter(object) || !mayBeUndefined(date)) return undefined;
  return refuse(about, "formats the current time if the date is absent", { hint: TEST_FIRST });
}

function isDateFormatter(object: unknown): boolean {
  if (!symbolicOf(object)) return object instanceof Intl.DateTimeFormat;
  const made = expressionOf(object);
  return made?.kind === "call" && made.callee.kind === "name" && made.callee.name === "Intl.DateTimeFormat";
}

function mayBeUndefined(value: unknown): boolean {
  let isPossible = false;
  lift(value, (each) => {
    const path = pathOf(each);
    isPossible ||= path ? mayBeAbsent(path) : each === undefined;
  });
  return isPossible;
}

/** Whether a variable may be undefined, given the known facts. */
export function mayBeAbsent(path: AccessPath): boolean {
  const { path: deciding } = withDecidingPath(path.presence);
  // The member of an absent item: JavaScript throws.
  if (deciding !== path && indexIn(deciding.names.at(-1)) !== undefined) return false;
  return path.optional && rendering().facts.known(path.presence) !== true;
}
