/**
 * The same function, called once for each object: several rules ask, one after the other.
 *
 * @example
 * export const addressesIn = memoized((checked: CheckedTemplate) => …);
 */
export function memoized<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const entry = known.get(key) ?? { value: make(key) };
    known.set(key, entry);
    return entry.value;
  };
}
