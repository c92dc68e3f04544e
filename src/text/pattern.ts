/**
 * Whether a name matches a pattern, in which `*` matches any string, including the empty one.
 *
 * @example
 * matchesPattern("marketing-*", "marketing-spring"); // true
 * matchesPattern("*-internal", "receipt"); // false
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const index = name.indexOf(part, at);
    if (index === -1) return false;
    at = index + part.length;
  }
  return name.length - at >= last.length && name.endsWith(last);
}
