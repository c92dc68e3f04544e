import { checkSize, type Run } from "./run.js";

/** `text.replace(pattern, replacement)` and `text.replaceAll(pattern, replacement)`, whose result is measured as it grows. */
export function replace(
  run: Run,
  method: "replace" | "replaceAll",
  text: string,
  pattern: unknown,
  replacement: unknown,
): unknown {
  let size = text.length;
  const replaceMatch = (...match: readonly unknown[]): string => {
    const replaced = run.isAllowed(replacement) ? String(replacement(...match)) : expand(String(replacement), match);
    size += replaced.length;
    checkSize(size);
    return replaced;
  };
  return Reflect.apply(String.prototype[method], text, [pattern, replaceMatch]);
}

/** A replacement with `$&`, `$1` and so on. */
function expand(replacement: string, match: readonly unknown[]): string {
  const named: unknown = typeof match.at(-1) === "object" ? match.at(-1) : undefined;
  const [matched = "", ...groups] = match.slice(0, named ? -3 : -2).map(printed);
  const [position, text] = match.slice(groups.length + 1);
  const [start, whole] = [Number(position), printed(text)];
  return replacement.replace(/\$(?:[$&`']|\d\d?|<[^>]*>)/g, (all) => {
    const name = all.slice(1);
    if (name === "$") return "$";
    if (name === "&") return matched;
    if (name === "`") return whole.slice(0, start);
    if (name === "'") return whole.slice(start + matched.length);
    if (name.startsWith("<")) return named ? printed(Reflect.get(Object(named), name.slice(1, -1))) : all;
    const digits = [name, name.slice(0, 1)].find((each) => Number(each) > 0 && Number(each) <= groups.length);
    return digits === undefined ? all : `${groups[Number(digits) - 1]}${name.slice(digits.length)}`;
  });
}

function printed(group: unknown): string {
  return typeof group === "string" ? group : "";
}
