/**
 * Calls a function only once per object: several rules need the same result one after the other.
 *
 * @example
 * export const addressesIn = memoizeByObject((checked: CheckedTemplate) => …);
 */
export function memoizeByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    let entry = known.get(key);
    if (!entry) known.set(key, (entry = { value: make(key) }));
    return entry.value;
  };
}

/**
 * Caches the latest results of a function of a string: templates share most of their styles, selectors and colours.
 *
 * @param least Minimum number of results in the cache; with `Infinity`, it keeps all.
 * @param make Its other parameters give the same result for the same string.
 */
export function memoizeByString<Value, Others extends readonly unknown[] = []>(
  least: number,
  make: (text: string, ...others: Others) => Value,
): (text: string, ...others: Others) => Value {
  const known = new Latest<{ readonly value: Value }>(least);
  return (text, ...others) => {
    let entry = known.get(text);
    if (!entry) known.set(text, (entry = { value: make(text, ...others) }));
    return entry.value;
  };
}

/**
 * Remembers at least the latest `least` values, and at most twice as many. It forgets a whole generation at a time: a Map
 * becomes slow if its first entry is deleted again and again.
 */
export class Latest<Value> {
  readonly #least: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor(least: number) {
    this.#least = least;
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#least) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
