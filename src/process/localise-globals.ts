import { localised, type Place } from "../mustache/expression/localised.js";
import { localesOr, zonedDate } from "../mustache/expression/zoned-date.js";

/** Methods that take locales, as their first or second argument. */
const METHODS = [
  [Number.prototype, "toLocaleString", 0],
  [BigInt.prototype, "toLocaleString", 0],
  [String.prototype, "toLocaleUpperCase", 0],
  [String.prototype, "toLocaleLowerCase", 0],
  [String.prototype, "localeCompare", 1],
] as const;

/** The place of the code that runs in this thread. */
const current = { locale: "", timeZone: "" };
let LocalDate = Date;

/**
 * Changes the language's own objects in this thread to those of a machine that has this locale and time zone, so that code
 * that names neither gives the same result everywhere.
 *
 * @example
 * localiseGlobals({ locale: "de-DE", timeZone: "Europe/Berlin" });
 * (1234.5).toLocaleString(); // 1.234,5
 */
export function localiseGlobals(place: Place): void {
  enterPlace(place);
  Object.defineProperties(Intl, Object.getOwnPropertyDescriptors(localised(current).Intl));
  localiseDate();
  for (const [holder, name, index] of METHODS) {
    replaceMethod(holder, name, (method) => (self, parameters) => {
      const all = [...parameters];
      all[index] = localesOr(current.locale, parameters[index]);
      return Reflect.apply(method, self, all);
    });
  }
}

/**
 * Moves the code in this thread to another place, once `localiseGlobals` has been called. Objects that exist already, such as
 * formatters, keep their place.
 *
 * @returns A function that moves it back.
 */
export function enterPlace({ locale, timeZone }: Place): () => void {
  const before = { ...current };
  Object.assign(current, { locale, timeZone });
  LocalDate = zonedDate(timeZone, locale);
  return () => enterPlace(before);
}

/** Dates that other code creates, such as Node.js and `structuredClone`, are local ones, too. */
function localiseDate(): void {
  const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(LocalDate.prototype);
  for (const name of Object.keys(methods)) {
    replaceMethod(Date.prototype, name, () => (self, parameters) => {
      const method: unknown = Reflect.get(LocalDate.prototype, name);
      return typeof method === "function" ? Reflect.apply(method, self, parameters) : undefined;
    });
  }
  replaceMethod(
    Date,
    "parse",
    () =>
      (_self, [text]) =>
        LocalDate.parse(String(text)),
  );
  globalThis.Date = new Proxy(Date, {
    construct(target, parameters: [], newTarget) {
      const time = parameters.length === 0 ? [] : [new LocalDate(...parameters).getTime()];
      return Reflect.construct(target, time, newTarget);
    },
    apply: () => new LocalDate().toString(),
  });
}

type Method = (self: unknown, parameters: readonly unknown[]) => unknown;

export function replaceMethod(
  holder: object,
  name: string,
  replacement: (method: (...parameters: never) => unknown) => Method,
): void {
  const method: unknown = Reflect.get(holder, name);
  if (!isFunction(method)) return;
  const replaced = replacement(method);
  const value = new Proxy(method, { apply: (_target, self, parameters: unknown[]) => replaced(self, parameters) });
  Object.defineProperty(holder, name, { value });
}

function isFunction(value: unknown): value is (...parameters: never) => unknown {
  return typeof value === "function";
}
