import { pathKey, testKey } from "./facts.js";
import { isElement } from "./react-values.js";
import { isObject, represented, type Symbolic } from "./symbolic.js";

/** Whether two runs of the same code gave the same result, as far as can be determined: functions can't be compared. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  const [first, second] = [represented(one), represented(other)];
  if (first || second) return first !== undefined && second !== undefined && isSameSymbolic(first, second);
  if (!isObject(one) || !isObject(other)) return false;
  if (one instanceof Date && other instanceof Date) return Object.is(one.getTime(), other.getTime());
  if (typeof one === "function" || typeof other === "function") return typeof one === typeof other;
  if (isElement(one) && isElement(other)) return isSame(one.type, other.type) && isSame(one.props, other.props);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]));
  }
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(Reflect.get(one, name), Reflect.get(other, name)))
  );
}

function isSameSymbolic(one: Symbolic, other: Symbolic): boolean {
  if (one.kind === "path" && other.kind === "path") return pathKey(one) === pathKey(other);
  if (one.kind === "choice" && other.kind === "choice") {
    return testKey(one.test) === testKey(other.test) && isSame(one.yes, other.yes) && isSame(one.no, other.no);
  }
  if (one.kind === "repeat" && other.kind === "repeat") {
    return one.loop.id === other.loop.id && isSame(one.body, other.body);
  }
  if (one.kind === "position" && other.kind === "position") {
    return one.loop.id === other.loop.id && one.offset === other.offset;
  }
  if (one.kind === "length" && other.kind === "length") {
    return pathKey(one.of) === pathKey(other.of) && one.offset === other.offset;
  }
  if (one.kind === "several" && other.kind === "several") {
    return pathKey(one.of) === pathKey(other.of) && one.offset === other.offset;
  }
  if (one.kind === "rows" && other.kind === "rows") {
    const { list } = other;
    return one.list.length === list.length && one.list.every((each, index) => isSame(each, list[index]));
  }
  return one.kind === other.kind;
}
