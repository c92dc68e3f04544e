import { replaceMethod } from "./localise-globals.js";

/** Far more than an email can show; a list of all code points has fewer. */
const MOST_ITEMS = 10_000_000;

/**
 * Lets the language's own functions refuse to fill longer lists in this thread. Memory that is taken at once, and is more than
 * the thread may use, ends the whole process.
 *
 * @example
 * limitLists();
 * Array.from({ length: 1e9 }, () => 0); // throws a RangeError
 */
export function limitLists(): void {
  replaceMethod(Array, "from", (from) => (self, parameters) => {
    const [value] = parameters;
    const isIterable = Symbol.iterator in Object(value);
    if (!isIterable) checkLength(value);
    return Reflect.apply(from, self, parameters);
  });
  replaceMethod(Array.prototype, "fill", (fill) => (self, parameters) => {
    checkLength(self);
    return Reflect.apply(fill, self, parameters);
  });
}

/** A length that is a placeholder of the compiler is left alone. */
function checkLength(value: unknown): void {
  const length: unknown = Reflect.get(Object(value), "length");
  if (typeof length !== "number" || length <= MOST_ITEMS) return;
  throw new RangeError(
    `A list of ${length.toLocaleString("en")} items is too long: ${MOST_ITEMS.toLocaleString("en")} at most.`,
  );
}
