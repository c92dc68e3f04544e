import { concatLists } from "./parts.js";
import { callArrayMethod, isArrayMethod } from "./arrays.js";
import { isPlain } from "./react-values.js";
import { lift, liftAll, pick } from "./choices.js";
import { isOnly, isUnknown, kindsOf, literalsOf, maybeMissing } from "./kinds.js";
import { truthiness } from "./questions.js";
import { callListMethod, copyOf } from "./list-calls.js";
import { keyedCall } from "./keyed.js";
import { REFUSED, refuse } from "./refusal.js";
import { rendering } from "./rendering.js";
import { isObject, represented, type Symbolic } from "./symbolic.js";
import { concatenate, inlineText, isNumber, symbolicOf, textOf, valuesInText } from "./texts.js";

type Callable = (...parameters: unknown[]) => unknown;

/** Calls a function of the language's own. With choices it is called for each case. */
export function callBuiltin(called: Callable, self: unknown, given: readonly unknown[]): unknown {
  if (CHANGES.has(called)) rendering().changed(self);
  if (PASSES.has(called)) return Reflect.apply(called, self, given);
  if (called === assign && given.some(isChoice)) return assignChoices(given);
  if (Array.isArray(self) && called === Array.prototype.concat) return concatLists(self, given);
  if (Array.isArray(self) && isArrayMethod(called)) return callArrayMethod(called, self, given);
  return liftAll(given, (each) => {
    const keyed = keyedCall(called, self, each);
    if (keyed) return keyed();
    return SPECIAL.get(called)?.(self, each) ?? guard(called, each, () => Reflect.apply(called, self, each));
  });
}

const assign: unknown = Reflect.get(Object, "assign");

function isChoice(value: unknown): boolean {
  return represented(value)?.kind === "choice";
}

/** `Object.assign(object, a && b)`: each case would leave its mark on one object. */
function assignChoices(sources: readonly unknown[]): unknown {
  return refuse(sources.map(symbolicOf).find(Boolean), "gives an object members by what a variable decides", {
    hint: "Make a new object of both: `{ ...a, ...b }`.",
  });
}

/** Those that only hand on what they are given. */
const PASSES = methods([
  [Function.prototype, "call apply bind"],
  [Object, "freeze fromEntries"],
  [Promise, "resolve"],
  [Map.prototype, "set"],
  [Set.prototype, "add"],
]);

/** Those that change what they are called on. */
const CHANGES = methods([
  [Array.prototype, "push unshift pop shift splice fill sort reverse copyWithin"],
  [Map.prototype, "set delete clear"],
  [Set.prototype, "add delete clear"],
  [WeakMap.prototype, "set delete"],
  [WeakSet.prototype, "add delete"],
]);

/** Those that hand on the members of what they are given. */
const HANDS_ON_MEMBERS = methods([
  [Object, "entries values keys hasOwn assign"],
  [Array, "of from"],
]);

function methods(holders: readonly (readonly [holder: object, names: string])[]): ReadonlySet<unknown> {
  return new Set(
    holders.flatMap(([holder, names]) => names.split(" ").map((name): unknown => Reflect.get(holder, name))),
  );
}

/** What some can do with symbolic values after all; undefined where there is none among what they are given. */
const SPECIAL = new Map<unknown, (self: unknown, given: readonly unknown[]) => unknown>([
  [String, (_self, [value]) => (symbolicOf(value) ? textOf(value) : undefined)],
  [Number, (_self, [value]) => (isNumber(value) ? value : undefined)],
  [Boolean, (_self, [value]) => (symbolicOf(value) ? truthiness(value) : undefined)],
  [Reflect.get(Array, "isArray"), (_self, [value]) => isList(symbolicOf(value))],
  [Reflect.get(Array, "from"), (_self, [value, work]) => listFrom(value, work)],
  [textMethod("concat"), (self, given) => (given.some(symbolicOf) ? concatenate([self, ...given]) : undefined)],
  [textMethod("replace"), replacing("replace")],
  [textMethod("replaceAll"), replacing("replaceAll")],
]);

function textMethod(name: string): unknown {
  return Reflect.get(String.prototype, name);
}

function isList(symbolic: Symbolic | undefined): unknown {
  if (symbolic?.kind === "repeat" || symbolic?.kind === "sliced" || symbolic?.kind === "rows") return true;
  if (symbolic?.kind !== "path" || isUnknown(symbolic)) return undefined;
  if (isOnly(symbolic, "list")) {
    return !maybeMissing(symbolic) || pick({ path: symbolic, question: { kind: "present" } }, true, false);
  }
  return kindsOf(symbolic).has("list") ? undefined : false;
}

/** `Array.from(list)`, `Array.from(list, (item) => …)` */
function listFrom(value: unknown, work: unknown): unknown {
  const length = isPlain(value) ? symbolicOf(value["length"]) : undefined;
  if (length) return refuse(length, "makes a list that is as long as a variable says");
  const copy = copyOf(value);
  const list = represented(copy);
  if (work === undefined || !list) return copy;
  return list.kind === "path" || list.kind === "repeat" || list.kind === "sliced"
    ? callListMethod(list, "map", [work])
    : undefined;
}

/** `"Dear NAME".replace("NAME", () => name)` */
function replacing(name: string): (self: unknown, given: readonly unknown[]) => unknown {
  return (self, [pattern, replacement]) => {
    if (symbolicOf(pattern)) return undefined;
    const method: unknown = Reflect.get(String.prototype, name);
    if (typeof method !== "function") return undefined;
    if (typeof replacement === "function") {
      return Reflect.apply(method, self, [
        pattern,
        (...found: unknown[]) => inlineText(Reflect.apply(replacement, undefined, found)),
      ]);
    }
    const symbolic = symbolicOf(replacement);
    if (!symbolic) return undefined;
    if (mayHaveDollar(symbolic)) return refuse(symbolic, "reads patterns such as $& in a variable", { hint: DOLLAR });
    return lift(textOf(replacement), (text) => Reflect.apply(method, self, [pattern, () => text]));
  };
}

const DOLLAR =
  'JavaScript inserts what it found for them. Pass a function, whose result is inserted unchanged: `.replace("{name}", () => name)`.';

/** Whether JavaScript may find a pattern for a part of what is replaced in it. */
function mayHaveDollar(symbolic: Symbolic): boolean {
  if (symbolic.kind === "path") {
    const literals = literalsOf(symbolic);
    return literals ? literals.some((each) => String(each).includes("$")) : !isOnly(symbolic, "number", "boolean");
  }
  if (symbolic.kind !== "text") return false;
  return symbolic.text.includes("$") || valuesInText(symbolic.text).some(({ path }) => mayHaveDollar(path));
}

function guard(called: Callable, given: readonly unknown[], native: () => unknown): unknown {
  const watched = HANDS_ON_MEMBERS.has(called) ? given : given.flatMap((value) => [value, ...membersOf(value)]);
  const found = watched.map(symbolicOf).find(Boolean);
  if (!found) return native();
  return found.kind === "refused"
    ? REFUSED
    : // The only functions without a name are those of formatters.
      refuse(found, `gives a variable to ${called.name || "format"}(), which computes with it`);
}

/** Options, and lists of values, are looked into. */
function membersOf(value: unknown): unknown[] {
  return isObject(value) && !symbolicOf(value) && typeof value !== "function" ? Object.values(value) : [];
}

/** Constructs an object of the language's own. */
export function constructBuiltin(called: Callable, given: readonly unknown[]): object {
  const made = liftAll(given, (each) => guard(called, each, () => Reflect.construct(called, each)));
  return isObject(made) ? made : REFUSED;
}
