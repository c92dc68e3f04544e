import { localised, type Place } from "../mustache/expression/localised.js";
import { localesOr } from "../mustache/expression/zoned-date.js";

/** Methods that take locales, as their first or second argument. */
const METHODS = [
  [Number.prototype, "toLocaleString", 0],
  [BigInt.prototype, "toLocaleString", 0],
  [String.prototype, "toLocaleUpperCase", 0],
  [String.prototype, "toLocaleLowerCase", 0],
  [String.prototype, "localeCompare", 1],
] as const;

/**
 * Changes the language's own objects in this thread to those of a machine that has this locale and time zone, so that code
 * that names neither gives the same result everywhere.
 *
 * @example
 * localiseGlobals({ locale: "de-DE", timeZone: "Europe/Berlin" });
 * (1234.5).toLocaleString(); // 1.234,5
 */
export function localiseGlobals(place: Place): void {
  const local = localised(place);
  Object.defineProperties(Intl, Object.getOwnPropertyDescriptors(local.Intl));
  localiseDate(local.Date);
  for (const [holder, name, index] of METHODS) {
    const method: unknown = Reflect.get(holder, name);
    if (typeof method !== "function") continue;
    const value = new Proxy(method, {
      apply(target, self, parameters: unknown[]) {
        const all = [...parameters];
        all[index] = localesOr(place.locale, parameters[index]);
        return Reflect.apply(target, self, all);
      },
    });
    Object.defineProperty(holder, name, { value });
  }
}

/** Dates that other code creates, such as Node.js and `structuredClone`, are local ones, too. */
function localiseDate(LocalDate: DateConstructor): void {
  const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(LocalDate.prototype);
  // oxlint-disable-next-line no-extend-native -- they replace methods of the same names
  Object.defineProperties(Date.prototype, methods);
  Object.defineProperty(Date, "parse", { value: LocalDate.parse });
  globalThis.Date = new Proxy(Date, {
    construct(target, parameters: [], newTarget) {
      const time = parameters.length === 0 ? [] : [new LocalDate(...parameters).getTime()];
      return Reflect.construct(target, time, newTarget);
    },
    apply: () => new LocalDate().toString(),
  });
}
