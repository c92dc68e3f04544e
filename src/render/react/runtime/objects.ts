import { byValue, lift, pick } from "./choices.js";
import { isOnly, kindsOf, maybeMissing } from "./kinds.js";
import { memberOf, pathOf } from "./paths.js";
import { REFUSED, refuse } from "./refusal.js";
import { isObject, type Path } from "./symbolic.js";
import { symbolicOf } from "./texts.js";

type Native = (object: unknown, key: unknown) => unknown;

/** `object[key]`; `native` is that on ordinary values. */
export function lookUp(object: unknown, key: unknown, native: Native): unknown {
  return lift(object, (each) => lift(key, (name) => lookUpOne(each, name, native)));
}

function lookUpOne(object: unknown, key: unknown, native: Native): unknown {
  const [of, by] = [symbolicOf(object), symbolicOf(key)];
  if (of?.kind === "refused" || by?.kind === "refused") return REFUSED;
  if (of && by) return refuse(by, "looks up a variable by a variable");
  if (of && (of.kind !== "path" || typeof key === "number"))
    return refuse(of, "takes one item of a list by its number");
  if (!by) return native(object, key);
  if (by.kind !== "path") return refuse(by, "looks up by something that is made of variables");
  return isObject(object) ? entryFor(object, by) : refuse(by, "looks up by a variable");
}

/** The entry of an ordinary object whose key a variable is: one case for each entry. */
function entryFor(object: object, key: Path): unknown {
  if (Array.isArray(object)) return refuse(key, "takes one item of a list by its number");
  if (!isOnly(key, "string") && !isOnly(key, "number") && kindsOf(key).size > 0)
    return refuse(key, "looks up by a variable");
  const isNumber = isOnly(key, "number");
  const cases = Object.entries(object).map(([name, value]) => [isNumber ? Number(name) : name, value] as const);
  return byValue(key, cases, undefined);
}

/** `{ ...a, ...b }` */
export function merge(parts: readonly unknown[]): unknown {
  return parts.reduce((before, part) => lift(before, (object) => lift(part, (next) => mergeTwo(object, next))), {});
}

function mergeTwo(object: unknown, next: unknown): unknown {
  if (!isObject(object)) return object;
  const symbolic = symbolicOf(next);
  if (!symbolic) return { ...object, ...Object(next) };
  if (symbolic.kind === "refused") return object;
  if (symbolic.kind === "path" && isOnly(symbolic, "object")) return { ...object, ...membersOver(object, symbolic) };
  return refuse(symbolic, "spreads a variable whose members are not known", {
    hint: "Give a fixture in which it is an object, or name the members.",
  });
}

/** The members of an object; one that may be absent leaves what was there before it. */
function membersOver(object: object, path: Path): Record<string, unknown> {
  const entries = path.shape.names.map((name): [string, unknown] => {
    const value = memberOf(path, name);
    const member = pathOf(value);
    if (!member || !maybeMissing(member) || !Object.hasOwn(object, name)) return [name, value];
    const before: unknown = Reflect.get(object, name);
    return [name, pick({ path: member, question: { kind: "present" } }, value, before)];
  });
  return Object.fromEntries(entries);
}
