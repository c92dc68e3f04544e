import { isLocalTime } from "../../../mustache/expression/zoned-date.js";
import { builtinName } from "./builtins.js";
import type { Expression } from "./expression.js";
import { constructionOf } from "./expressions.js";
import { rendering } from "./rendering.js";
import type { AnyFunction } from "./symbolic.js";

/*
 * Operations on ordinary values whose results depend on the locale or the time zone of the mailer, which are unknown while a
 * component is compiled: they are computed when an email is filled.
 */

const LOCAL_PARTS = /^(?:[gs]et(?!UTC|Time$)|to(?:Date|Time)?String$)/;
const LOCALE_TEXTS = /^toLocale(?:Date|Time|Upper|Lower)?(?:String|Case)$/;
const FORMATTING = /^(?:format\w*|select\w*|compare|of|)$/;

/** Whether a call depends on them. Modules that are loading have no mailer: they get the project's. */
export function dependsOnPlace(called: AnyFunction, self: unknown, args: readonly unknown[]): boolean {
  if (rendering().isLoading) return false;
  if (builtinName(called) === "Date.parse") return isLocalDate(args);
  if (self instanceof Date) {
    // What reads the clock is reported elsewhere.
    if (isNow(self)) return false;
    return LOCAL_PARTS.test(called.name) || (LOCALE_TEXTS.test(called.name) && !(hasLocale(args) && hasZone(args)));
  }
  // `localeCompare` mostly sorts lists of the component, which must be known.
  if (typeof self !== "object" || self === null) return LOCALE_TEXTS.test(called.name) && !hasLocale(args);
  // The current time is reported elsewhere.
  if (self instanceof Intl.DateTimeFormat && args[0] === undefined) return false;
  const made = constructionOf(self);
  return made !== undefined && FORMATTING.test(called.name) && !isComplete(made);
}

/** Whether a date is the time of the clock: `new Date()`. */
export function isNow(date: Date): boolean {
  return constructionOf(date)?.args.length === 0;
}

/** Whether an object that is constructed with these arguments depends on them. */
export function isLocalObject(called: AnyFunction, args: readonly unknown[]): boolean {
  return !rendering().isLoading && builtinName(called) === "Date" && (args.length > 1 || isLocalDate(args));
}

function isLocalDate([text]: readonly unknown[]): boolean {
  return typeof text === "string" && isLocalTime(text);
}

function hasLocale([locales]: readonly unknown[]): boolean {
  return locales !== undefined && !(Array.isArray(locales) && locales.length === 0);
}

function hasZone([, options]: readonly unknown[]): boolean {
  return typeof options === "object" && options !== null && Reflect.get(options, "timeZone") !== undefined;
}

/** Whether a formatter was created with a locale, and a time zone if it needs one. */
function isComplete({ callee, args: [locales, options] }: Extract<Expression, { kind: "call" }>): boolean {
  if (callee.kind !== "name" || !callee.name.startsWith("Intl.")) return true;
  const isNamed =
    locales?.kind === "list" ? locales.items.length > 0 : locales?.kind !== "value" || locales.value !== undefined;
  if (!locales || !isNamed) return false;
  const isDate = callee.name === "Intl.DateTimeFormat";
  return (
    !isDate ||
    (options?.kind === "object" && options.members.some((member) => !("kind" in member) && member[0] === "timeZone"))
  );
}
